"""The pages of a dataset's topics alone, out of a dump that is read where it lies."""

import json
import sqlite3
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from annotate.evidence.import_file import import_documents
from core.errors import DataError
from knowledge.models import Document, KnowledgeSource, Redirect
from knowledge.search import search_page
from knowledge.titles import resolve
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db

PAGES = {
    "Bee": "<s>Bees dance.</s>",
    "Wasp": "<s>Wasp may refer to:</s><s>Wasp (insect), a wasp.</s><s>Wasp (ship), a ship.</s>",
    "Wasp (insect)": "<s>Wasps build nests.</s>",
    "Wasp (ship)": "<s>She sailed.</s>",
    "Honeybee": "#REDIRECT [[Bee]]",
    "Humble bee": "#REDIRECT [[humblebee]]",
    "Humblebee": "#REDIRECT [[Bumblebee#Nests]]",
    "Bumblebee": "<s>Bumblebees hum.</s>",
    "Lost": "#REDIRECT [[Nowhere]]",
    "José Fabre (entomologist)": "<s>He watched insects.</s>",
    "Moth": None,
    "Other": "<s>Nobody asks for this.</s>",
}


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "pages.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE documents (title PRIMARY KEY, text)")
        # A title that is no text is nobody's, and does not stand in the way.
        made.executemany("INSERT INTO documents VALUES (?, ?)", [*PAGES.items(), (None, "x"), (7, "y")])
        made.commit()
    return path


def titles(source):
    return sorted(Document.objects.visible().filter(source=source).values_list("title", flat=True))


@pytest.mark.parametrize(
    ("topic", "taken", "page", "rule"),
    [
        ("Bee", ["Bee"], "Bee", "exact"),
        (" bee", ["Bee"], "Bee", "case and spacing"),
        ("Honeybee", ["Bee"], "Bee", "redirect"),
        ("Humble bee", ["Bumblebee"], "Bumblebee", "redirect"),
        ("Húmble_bee", ["Bumblebee"], "Bumblebee", "redirect"),
        ("Jose Fabre", ["José Fabre (entomologist)"], "José Fabre (entomologist)", "disambiguation"),
        ("Wasp", ["Wasp", "Wasp (insect)", "Wasp (ship)"], "", None),
        ("Wasp (ship)", ["Wasp (ship)"], "Wasp (ship)", "exact"),
        ("Lost", ["Lost"], "", None),
    ],
)
def test_a_topic_brings_the_pages_that_may_be_its_own(dump, topic, taken, page, rule):
    source = import_documents(dump, "insects", topics=[topic]).source

    found = resolve(source, topic)
    assert (titles(source), found.title, found.rule) == (taken, page, rule)


def test_a_later_dataset_adds_pages_and_names(dump):
    import_documents(dump, "insects", topics=["Bee"])
    again = import_documents(dump, "insects", topics=["Bee", "Honeybee", "Bumblebee"])

    assert (again.created, again.unchanged) == (1, 1)
    assert [redirect.name for redirect in Redirect.objects.all()] == ["Honeybee"]
    assert search_page(again.source, "Honeybee", "dance", 1)[0].text == "Bees dance."


def test_a_dump_with_no_page_of_any_topic_makes_no_source(dump):
    with pytest.raises(DataError, match=r"pages.db: it has no page of any of the 2 topics"):
        import_documents(dump, "insects", topics=["Owl", "Moth"])
    assert not KnowledgeSource.objects.exists()


def test_rows_are_chosen_by_their_titles_and_redirects(tmp_path):
    rows = [
        {"title": "Apis mellifera", "text": "Bees dance.", "redirects": ["Honey bee"]},
        {"title": "Ant", "text": "Ants march."},
        {"title": "Owl", "text": "Owls watch."},
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert titles(import_documents(path, "animals", topics=["honey bee", "Owl"]).source) == ["Apis mellifera", "Owl"]


@pytest.fixture
def lab():
    dataset = make_dataset("lab")
    for topic in ("Bee", "Wasp", "Owl"):
        prompt = make_response(dataset, ["It is."], prompt=f"Tell of {topic}.").prompt
        type(prompt).objects.filter(pk=prompt.pk).update(topic=topic)
    return dataset


def test_the_command_says_which_topics_have_no_page(dump, lab, capsys):
    call_command("import_documents", "insects", dump, topics_of="lab")

    assert capsys.readouterr().out.splitlines() == [
        "insects: 4 created, 0 unchanged",
        "1 of 3 topics have a page",
        "  Owl: no page",
        "  Wasp: no page; there are: Wasp (insect), Wasp (ship)",
    ]


def test_a_dataset_without_topics_is_told(dump):
    make_dataset("bare")
    with pytest.raises(CommandError, match="bare has no prompt with a topic"):
        call_command("import_documents", "insects", dump, topics_of="bare")
