"""The page of a topic whose title is not the topic letter by letter."""

import pytest

from knowledge.models import Document
from knowledge.search import search_page
from knowledge.titles import name_by_hand, resolve, resolve_all
from knowledge.writing import writing_into
from tests.knowledge.sources import make_source, new_document

pytestmark = pytest.mark.django_db


def source_of(*titles):
    with writing_into("people") as writer:
        writer.write([new_document(title, f"About {title}.") for title in titles])
    return writer.source


@pytest.mark.parametrize(
    ("title", "topic", "rule"),
    [
        ("Tim Fischer", "Tim Fischer", "exact"),
        ("Tim Fischer", " tim  FISCHER ", "case and spacing"),
        ("José Saramago", "Jose\u0301 Saramago", "case and spacing"),
        ("José Saramago", "Jose Saramago", "accents and punctuation"),
        ("Lech Wałęsa", "Lech Walesa", "accents and punctuation"),
        ("Tim Fischer", "Tim_Fischer", "accents and punctuation"),
        ("O’Neill–Smith", "O'Neill-Smith", "accents and punctuation"),
        ("Tim Fischer (politician)", "Tim_Fischer_(politician)", "accents and punctuation"),
        ("Tim Fischer (politician)", "Tim Fischer", "disambiguation"),
        ("José Saramago (writer)", "jose saramago", "disambiguation"),
    ],
)
def test_a_page_is_found_by_a_rule_that_is_named(title, topic, rule):
    found = resolve(source_of(title, "Another Person"), topic)

    assert (found.title, found.rule) == (title, rule)


@pytest.mark.parametrize(
    ("titles", "topic", "candidates"),
    [
        (("Tim Fischer (politician)", "Tim Fischer (swimmer)"), "Tim Fischer", 2),
        (("Tim Fischer (politician)",), "Tim Fischer (swimmer)", 1),
        (("Tim Fischer",), "Tim Fischer (swimmer)", 1),
        (("US", "us"), "Us", 2),
        (("Tim Fischer",), "Tom Fischer", 0),
        (("Tim Fischer",), "()", 0),
        (("Tim Fischer",), "", 0),
        (("Tim Fischer",), "%", 0),
        (("Tim Fischer",), "???", 0),
        (("Tim Fischer",), "Tim Fischer" * 100, 0),
        (("Tim Fischer",), "Ťim 🐝", 0),
        # A page that lists the pages of a name is none of them, and there are several of that name.
        (("Tim Fischer (disambiguation)",), "Tim Fischer", 0),
        (("Tim Fischer (disambiguation)", "Tim Fischer (politician)"), "Tim Fischer", 1),
    ],
)
def test_where_no_rule_finds_one_page_there_is_none_and_those_like_it_are_named(titles, topic, candidates):
    found = resolve(source_of(*titles), topic)

    assert (found.documents, found.rule, len(found.candidates)) == ((), None, candidates)


def test_the_page_of_exactly_that_title_is_taken_though_others_differ_in_case():
    assert resolve(source_of("US", "us"), "us").title == "us"


def test_a_redirect_of_the_corpus_leads_to_its_page():
    with writing_into("people") as writer:
        bee = new_document("Apis mellifera", "Bees dance.")
        writer.write([type(bee)(bee.key, bee.title, "", bee.text, bee.passages, ("Honey bee", "honey  BEE"))])

    found = resolve(writer.source, "Honey Bee")
    assert (found.title, found.rule) == ("Apis mellifera", "redirect")


def test_what_was_named_by_hand_counts_before_every_rule():
    source = source_of("Tim Fischer", "Tim Fischer (swimmer)")
    name_by_hand(source, "Tim Fischer", Document.objects.get(title="Tim Fischer"))
    name_by_hand(source, "Tim Fischer", Document.objects.get(title="Tim Fischer (swimmer)"))

    found = resolve(source, "tim fischer")
    assert (found.title, found.rule) == ("Tim Fischer (swimmer)", "by hand")


def test_many_topics_cost_no_more_queries_than_one(django_assert_num_queries):
    source = source_of("Bee", "Ant (insect)")
    with django_assert_num_queries(3):
        found = resolve_all(source, ["Bee", "Ant", "Wasp"])

    assert [each.rule for each in found] == ["exact", "disambiguation", None]


def test_the_page_that_was_resolved_is_searched():
    source = make_source("people", Tim_Fischer="He rode trains. He was deputy.")

    assert [hit.text for hit in search_page(source, "tim_fischer", "trains", 1)] == ["He rode trains."]
    assert search_page(source, "Tom Fischer", "trains", 1) == []


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("Tim Fischer may refer to: Tim Fischer (politician), Tim Fischer (swimmer)", ["Tim Fischer (politician)"]),
        ("Tim Fischer most commonly refers to: Tim Fischer (politician).", ["Tim Fischer (politician)"]),
        ("Tim Fischer steht für:\nTim Fischer (Politiker)", ["Tim Fischer (politician)"]),
        ("#REDIRECT [[Timothy_Fischer#Life|him]]", ["Tim Fischer (politician)", "Timothy Fischer"]),
        ("#WEITERLEITUNG [[Timothy Fischer]]", ["Tim Fischer (politician)", "Timothy Fischer"]),
    ],
)
def test_a_page_of_that_title_that_lists_meanings_or_redirects_is_not_taken(text, candidates):
    with writing_into("people") as writer:
        writer.write([new_document("Tim Fischer", text), new_document("Tim Fischer (politician)", "He was born.")])
    found = resolve(writer.source, "Tim Fischer")

    assert (found.documents, list(found.candidates)) == ((), candidates)


def test_a_page_whose_text_is_about_meanings_is_a_page():
    with writing_into("words") as writer:
        writer.write([new_document("Meaning", "Meaning is studied. A word may refer to a thing, as philosophers say.")])
    assert resolve(writer.source, "Meaning").rule == "exact"
