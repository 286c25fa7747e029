"""Where supported facts are: shares worked by hand on three prompts."""

import pytest

from annotate.models import Prompt
from annotate.statistics.figures import build_dataset_stats
from tests.factories import add_facts, add_gold, make_dataset, make_response
from tests.stats.exact import exact

pytestmark = pytest.mark.django_db


def add_life(dataset, topic, sentences, facts, **of_prompt):
    """Amber's response; a string of facts a sentence, S or N each."""
    response = make_response(dataset, sentences, prompt=topic, subject="amber")
    Prompt.objects.filter(pk=response.prompt_id).update(**of_prompt)
    facts_made = iter(add_facts(response, [["A fact."] * len(each) for each in facts]))
    for letter in "".join(facts):
        add_gold(next(facts_made), "supported" if letter == "S" else "not_supported")
    return response


@pytest.fixture
def amber():
    dataset = make_dataset(scheme="factscore")
    add_life(dataset, "Ada", ["She wrote.[1]", "She drew."], ["SS", "SN"], frequency="freq", nationality="Asia")
    add_life(dataset, "Ben", ["He sang.[2]", "He danced."], ["N", "S"], frequency="rare", nationality="Asia")
    cleo = add_life(dataset, "Cleo", ["I'm sorry."], [""], frequency="rare")
    dataset.responses.filter(pk=cleo.pk).update(abstained=True)
    [figures] = build_dataset_stats(dataset)["subjects"]
    return figures


def shares(rows):
    return {row["name"]: (row["share"], row["n"]) for row in rows}


def test_by_class_over_all_prompts_and_over_those_responded_to(amber):
    # Ada 3/4, Ben 1/2, Cleo abstains and has no nationality.
    precision = amber["precision"]
    assert shares(precision["by_frequency"]) == {"freq": (0.75, 1), "rare": (0.25, 2)}
    assert shares(precision["by_frequency_responding"]) == {"freq": (0.75, 1), "rare": (0.5, 1)}
    assert shares(precision["by_nationality"]) == {"Asia": (0.625, 2)}


def test_by_sentence_facts_are_pooled(amber):
    pooled = shares(amber["precision"]["by_sentence"])
    assert pooled["1"] == (pytest.approx(2 / 3), 3)
    assert pooled["2"] == (pytest.approx(2 / 3), 3)
    assert pooled["10 and later"] == (None, 0)


def test_a_sentence_with_one_wrong_fact_is_an_error(amber):
    assert shares(amber["precision"]["sentences_by_frequency"]) == {"freq": (0.5, 2), "rare": (0.5, 2)}


def test_citations_among_sentences_with_and_without_error(amber):
    # Supported: Ada's first, cited, and Ben's second. In error: Ada's second, and Ben's first, cited.
    assert shares(amber["citations"]["cited_by_support"]) == {"unsupported": (0.5, 2), "supported": (0.5, 2)}
    assert shares(amber["citations"]["support_by_citation"]) == {"uncited": (0.5, 2), "cited": (0.5, 2)}


def test_marks_of_the_response_count_and_sentences_that_are_not_found_in_it_do_not():
    dataset = make_dataset(scheme="factscore")
    # Found: the first sentence in error, cited; the third supported, not cited. The second is not in the response.
    life = add_life(dataset, "Ada", ["She wrote.", "She flew.", "She drew."], ["N", "N", "S"])
    dataset.responses.filter(pk=life.pk).update(text="She wrote.[1] She drove. She drew.")
    [figures] = build_dataset_stats(dataset)["subjects"]
    assert shares(figures["citations"]["cited_by_support"]) == {"unsupported": (1.0, 1), "supported": (0.0, 1)}
    assert shares(figures["citations"]["support_by_citation"]) == {"uncited": (1.0, 1), "cited": (0.0, 1)}


def test_where_no_sentence_is_found_the_share_of_citations_is_unknown():
    dataset = make_dataset(scheme="factscore")
    life = add_life(dataset, "Ada", ["She flew."], ["N"])
    dataset.responses.filter(pk=life.pk).update(text="She drove.[1]")
    [figures] = build_dataset_stats(dataset)["subjects"]
    assert shares(figures["citations"]["cited_by_support"]) == {"unsupported": (None, 0), "supported": (None, 0)}


def intervals(figures):
    return {row["name"]: row["interval"] for row in figures["precision"]["by_frequency"]}


def test_two_prompts_have_no_interval(amber):
    assert intervals(amber) == {"freq": None, "rare": None}


def test_an_interval_resamples_prompts_within_their_class():
    dataset = make_dataset(scheme="factscore")
    for place in range(20):
        frequency = "freq" if place % 2 else "rare"
        add_life(dataset, f"Person {place}", ["She wrote."], ["S" if place < 10 else "N"], frequency=frequency)
    [figures] = build_dataset_stats(dataset)["subjects"]
    # Half of the ten prompts of each class are supported: the variance is that of nine draws.
    assert intervals(figures) == {name: pytest.approx(exact(0.5, 9, 10), abs=0.02) for name in ("freq", "rare")}
