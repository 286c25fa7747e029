"""Lexical overlap with the references of the response."""

import asyncio

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import Skip
from evaluators.methods.parameters import read_parameters
from tests.evaluators.methods.cases import ScriptedModel, make_case

SOURCE = "Ada Lovelace was born in 1815. She wrote notes on the Analytical Engine."


def judge(segment, references, **parameters):
    method = METHODS["lexical"]
    case = make_case(segments=[segment], references=references)
    [outcome] = asyncio.run(method.build(read_parameters(method, parameters))(case, ScriptedModel("")))
    return outcome


def test_the_score_is_the_share_of_content_words_found():
    # ada, born, 1852, london: two of four are in the source
    outcome = judge("Ada was born in 1852 in London.", [SOURCE])

    assert (outcome.value, outcome.score) == ("not_supported", 0.5)
    assert outcome.rationale == "2 of 4 content words found; missing: 1852, london"


@pytest.mark.parametrize(("threshold", "value"), [("0.5", "supported"), ("0.51", "not_supported")])
def test_the_threshold_is_reached_by_its_own_value(threshold, value):
    assert judge("Ada was born in 1852 in London.", [SOURCE], threshold=threshold).value == value


def test_a_word_said_twice_counts_once():
    # ada, engine, flew: two of three
    assert judge("Ada, Ada, Ada flew an engine.", [SOURCE]).score == pytest.approx(2 / 3)


@pytest.mark.parametrize("references", [[], [None], ["", "  "], ["--"]])
def test_without_a_reference_text_it_says_so_and_does_not_guess(references):
    outcome = judge("Ada was born in 1815.", references)

    assert isinstance(outcome, Skip)
    assert outcome.reason == "no reference"


@pytest.mark.parametrize("segment", ["", "It is not so."])
def test_a_segment_without_content_words_is_skipped(segment):
    assert judge(segment, [SOURCE]).reason == "no content words"


def test_only_the_best_passages_are_looked_at():
    # Passages of five words: "Bees make honey all summer." / "Ants build hills of sand."
    text = "Bees make honey all summer. Ants build hills of sand."

    one = judge("Bees make hills of honey.", [text], passages=1, passage_words=5)
    both = judge("Bees make hills of honey.", [text], passages=2, passage_words=5)

    # bees, make, honey are in the first passage, hills in the second: 3 of 4, then 4 of 4
    assert (one.score, both.score) == (0.75, 1.0)


def test_a_claim_is_looked_up_in_its_own_passages():
    method = METHODS["lexical"]
    claims = ["Ada was born in 1815.", "Ada was born in 1815.", "Ada was born in 1815."]
    case = make_case(segments=claims, references=[SOURCE], passages=[[SOURCE], ["Ada was born in 1852."], []])
    first, second, third = asyncio.run(method.build(read_parameters(method, {}))(case, ScriptedModel("")))
    # ada, born, 1815: all three, two of them, and nothing to look in.
    assert (first.score, second.score) == (1, pytest.approx(2 / 3))
    assert (type(third), third.reason) == (Skip, "no passage")
