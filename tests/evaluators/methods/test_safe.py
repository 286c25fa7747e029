"""SAFE step by step, worked by hand."""

from dataclasses import replace

import pytest

from evaluators.methods.base import Claim, Judgement, Skip, WebResult
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.searching_model import run

ADA = WebResult("Ada Lovelace", "https://lives.example/ada", "Ada Lovelace was born in 1815.")
BOOLE = WebResult("Boole", "https://lives.example/boole", "George Boole was born in 1815 too.")
ONE = make_case(["Ada was born in 1815."])
FACTS = make_case(facts=[["She was born in 1815."], ["She wrote the first program.", " "]])


def one_claim(says=None, web=None, **parameters):
    """The only claim of a sentence that is its own fact, and the model."""
    outcomes, model = run("safe", ONE, {"split": "- Ada was born in 1815."} | (says or {}), web, **parameters)
    [claim] = [outcome for outcome in outcomes if isinstance(outcome, Claim)]
    return claim, model


def test_a_fact_goes_through_all_steps():
    says = {"revise": "Ada Lovelace was born in 1815.", "rate": "One result says so.\nVerdict: supported"}
    claim, model = one_claim(says, {"Ada Lovelace was born in 1815.": [ADA]})

    assert model.asked_for == ["split", "revise", "relevance", "query", "query", "rate"]
    assert (claim.text, claim.value, claim.score, claim.segment) == ("Ada was born in 1815.", "supported", None, 0)
    assert claim.calls == (1, 2, 3, 4, 5, 6)
    assert claim.rationale == (
        "Ada Lovelace was born in 1815.\nSearched for: Ada Lovelace was born in 1815.\n"
        "Found: https://lives.example/ada\nOne result says so.\nVerdict: supported"
    )


def test_each_sentence_is_split_and_its_facts_belong_to_it():
    case = make_case(["Ada was born in 1815 and died in 1852.", "Is that so?", ""])
    outcomes, model = run(
        "safe", case, {"split": lambda asked: "none" if "?" in asked else "- Born.\n- Died.\n- Born."}
    )

    assert model.shown("split") == ["Ada was born in 1815 and died in 1852.", "Is that so?"]
    first, second, third, *claims = outcomes
    assert (first.value, second, third) == (
        "supported",
        Skip(case.units[1], "no claim"),
        Skip(case.units[2], "no claim"),
    )
    assert [(claim.text, claim.segment) for claim in claims] == [("Born.", 0), ("Died.", 0)]


def test_what_does_not_bear_on_the_prompt_is_irrelevant_and_not_searched_for():
    claim, model = one_claim({"relevance": "irrelevant"})
    assert (claim.value, model.searched) == ("irrelevant", [])


def test_relevance_need_not_be_asked_for():
    claim, model = one_claim({"relevance": "irrelevant"}, relevance="false")
    assert (claim.value, "relevance" in model.asked_for) == ("supported", False)


def test_searches_go_on_with_what_was_found_up_to_their_number():
    numbers = iter(range(99))
    web = {"q0": [ADA, BOOLE], "q1": [ADA]}
    claim, model = one_claim({"query": lambda asked: f"Query: q{next(numbers)}"}, web, queries=3, results=1)

    assert model.searched == ["q0", "q1", "q2"]
    first, second, third = model.shown("query")
    assert first.endswith("Found so far:\nnothing yet")
    assert second.endswith("Found so far:\nAda Lovelace\nhttps://lives.example/ada\nAda Lovelace was born in 1815.")
    assert third == second  # the same page is shown once, and only one result is read
    assert claim.value == "supported"


@pytest.mark.parametrize("again", ["Query: q", "enough", "Enough.", "", "one\ntwo"])
def test_searches_end_where_the_model_has_enough_or_asks_the_same(again):
    said = iter(["Query: q", again])
    claim, model = one_claim({"query": lambda asked: next(said)})
    assert (model.searched, claim.value) == (["q"], "supported")


def test_where_nothing_is_found_the_model_is_told_so():
    claim, model = one_claim({"rate": "Verdict: not supported"})
    assert model.shown("rate")[0].endswith("Found:\nnothing")
    assert claim.value == "not_supported"


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Verdict: supported", "supported"),
        ("It fits.\n**Verdict:** Not supported.", "not_supported"),
        ("Verdict: supported at first.\nVerdict: unsupported", "not_supported"),
        ("It is supported by one result.", None),
        ("", None),
    ],
)
def test_the_last_verdict_counts(said, value):
    assert one_claim({"rate": said})[0].value == value


@pytest.mark.parametrize("step", ["revise", "relevance", "query"])
def test_a_step_that_cannot_be_read_leaves_the_fact_unparsed(step):
    claim, model = one_claim({step: "I would\nrather not."})
    assert (claim.value, model.searched) == (None, [])
    assert model.asked_for[-1] == step


def test_a_sentence_whose_facts_cannot_be_read_is_unparsed():
    outcomes, _ = run("safe", ONE, {"split": "Ada was born."})
    assert outcomes == [Judgement(ONE.units[0], None, calls=(1,))]


def test_answers_that_were_cut_off_are_not_read():
    outcomes, _ = run("safe", ONE, finish_reason="length")
    assert outcomes == [Judgement(ONE.units[0], None, calls=(1,))]


def test_the_samples_of_the_verdict_vote():
    claim, model = one_claim({"rate": "Verdict: not supported|Verdict: supported|?"}, samples=3)
    # One of two that can be read supports it; the tie takes the first.
    assert (claim.value, claim.score, model.asked_for.count("rate")) == ("not_supported", 0.5, 3)


def test_given_facts_are_judged_as_they_are_given():
    outcomes, model = run("safe", FACTS, {"rate": "Verdict: not supported"}, claims="given")

    assert "split" not in model.asked_for
    assert [type(outcome) for outcome in outcomes] == [Judgement, Judgement, Skip]
    assert [outcome.unit for outcome in outcomes] == list(FACTS.units)
    assert outcomes[0].value == "not_supported"
    assert outcomes[2].reason == "empty"
    assert "Answer: " + FACTS.response in model.shown("revise")[0]


def test_a_dollar_sign_and_a_placeholder_in_a_text_stay_as_they_are():
    case = replace(ONE, response="It cost $fact and $5.")
    _, model = run("safe", case, {"split": "- It cost $5."})
    assert "Answer: It cost $fact and $5." in model.shown("revise")[0]
