"""Where supported facts are: shares worked by hand on three prompts."""

import pytest

from annotate.models import Prompt
from annotate.statistics.figures import build_dataset_stats
from tests.factories import add_facts, add_gold, make_dataset, make_response

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


def test_an_interval_resamples_prompts_within_their_class(amber):
    by_frequency = {row["name"]: row["interval"] for row in amber["precision"]["by_frequency"]}
    # Ada is alone in hers. Of Ben and Cleo two are drawn: 0, 1/4 or 1/2, the ends one time in four each.
    assert by_frequency == {"freq": None, "rare": [0.0, 0.5]}
