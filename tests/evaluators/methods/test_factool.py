"""FacTool step by step, worked by hand."""

import json

import pytest

from evaluators.methods.base import Claim, Judgement, Skip, WebResult
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.searching_model import run

ADA = WebResult("Ada Lovelace", "https://lives.example/ada", "Ada Lovelace was born in 1815.")
BOOLE = WebResult("Boole", "https://lives.example/boole", "George Boole was born in 1815.")
CASE = make_case(["Ada was born in 1815.", "She wrote the first program."])
BORN = json.dumps(["Ada was born in 1815."])


def verdict(**parts):
    return json.dumps({"reasoning": "So it is written.", "error": None, "correction": None} | parts)


def test_a_claim_goes_through_all_steps():
    says = {
        "claims": BORN,
        "queries": '["Ada birth", "Ada born 1815"]',
        "verify": verdict(error="The year.", correction="She was born in 1816.", factuality=False),
    }
    outcomes, model = run("factool", CASE, says, {"Ada birth": [ADA, BOOLE], "Ada born 1815": [ADA]}, results=1)

    assert model.asked_for == ["claims", "queries", "verify"]
    assert model.searched == ["Ada birth", "Ada born 1815"]
    assert model.shown("claims") == [f"Question: {CASE.prompt}\n\nAnswer: {CASE.response}"]
    [shown] = model.shown("verify")
    assert shown == f"Claim: Ada was born in 1815.\n\nSources:\nAda Lovelace\n{ADA.url}\n{ADA.text}"
    said = (
        f"Searched for: Ada birth; Ada born 1815\nFound: {ADA.url}\n"
        "Reasoning: So it is written.\nError: The year.\nCorrection: She was born in 1816."
    )
    claim = Claim("Ada was born in 1815.", "not_supported", None, said, (1, 2, 3))
    first, second, last = outcomes
    assert (first.value, second, last) == ("not_supported", Skip(CASE.units[1], "no claim"), claim)


def test_claims_are_read_as_texts_or_as_objects_each_once():
    says = {"claims": '```json\n[{"claim": "Ada was  born."}, "She wrote.", "She wrote."]\n```'}
    outcomes, _ = run("factool", CASE, says)
    assert [outcome.text for outcome in outcomes if isinstance(outcome, Claim)] == ["Ada was born.", "She wrote."]


@pytest.mark.parametrize("said", ["[]", '{"claims": []}', "No claims."])
def test_an_answer_without_claims_leaves_nothing_to_judge(said):
    outcomes, model = run("factool", CASE, {"claims": said})
    assert outcomes == [Skip(unit, "no claim") for unit in CASE.units]
    assert model.asked_for == ["claims"]


@pytest.mark.parametrize("said", ["I found three claims.", "[1, 2]", '["cut', ""])
def test_claims_that_cannot_be_read_leave_every_unit_unparsed(said):
    outcomes, _ = run("factool", CASE, {"claims": said})
    assert outcomes == [Judgement(unit, None, calls=(1,)) for unit in CASE.units]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (verdict(factuality=True), "supported"),
        ("I looked it up: " + verdict(factuality=False) + " I hope this helps.", "not_supported"),
        ("{'reasoning': 'It\\'s so.', 'error': None, 'factuality': True}", "supported"),
        (verdict(factuality="False"), "not_supported"),
        (verdict(factuality="Partially true"), None),
        (verdict(), None),
        ("[true]", None),
        ("True", None),
    ],
)
def test_factuality_is_a_truth_value(said, value):
    outcomes, _ = run("factool", CASE, {"claims": BORN, "verify": said})
    assert outcomes[-1].value == value


@pytest.mark.parametrize("said", ["Ada birth", "[]", "[[]]"])
def test_without_queries_a_claim_is_unparsed_and_not_searched_for(said):
    outcomes, model = run("factool", CASE, {"claims": BORN, "queries": said})
    assert (outcomes[-1].value, outcomes[-1].calls, model.searched) == (None, (1, 2), [])


def test_as_many_queries_are_made_as_the_parameter_says():
    _, model = run("factool", CASE, {"claims": BORN, "queries": '["a", "b", "c"]'}, queries=1)
    assert model.searched == ["a"]
    assert "a list of 1 texts" in model.asked[1][0]["content"]


def test_the_samples_of_the_verdict_vote():
    says = {"claims": BORN, "verify": "|".join([verdict(factuality=False), verdict(factuality=True), "?"])}
    outcomes, _ = run("factool", CASE, says, samples=3)
    assert (outcomes[-1].value, outcomes[-1].score) == ("not_supported", 0.5)


def test_given_facts_are_judged_as_they_are_given():
    case = make_case(facts=[["She was born in 1815."], ["She wrote.", ""]])
    outcomes, model = run("factool", case, claims="given")
    assert [getattr(outcome, "value", "skipped") for outcome in outcomes] == ["supported", "supported", "skipped"]
    assert "claims" not in model.asked_for
