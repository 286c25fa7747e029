"""SelfCheckGPT with inference: the formula by hand, over transformers' own pipeline."""

import asyncio
from dataclasses import replace

import pytest

from evaluators.methods import METHODS
from evaluators.methods.parameters import read_parameters
from evaluators.methods.selfcheck import contradiction
from tests.evaluators.methods.cases import ScriptedModel, make_case

UNIT = "the ferry left at seven ."
SAMPLES = ("the ferry left at nine in the morning .", "bells rang .", "it was late .")


def judge(*units, samples=SAMPLES, **parameters):
    case = replace(make_case(segments=list(units)), samples=tuple(samples))
    method = METHODS["selfcheck-nli"]
    given = read_parameters(method, {"nli_weights": "nli", **parameters})
    return asyncio.run(method.build(given)(case, ScriptedModel("")))


def test_contradiction_worked_by_hand():
    # The places are entailment, neutral, contradiction.
    assert contradiction([[0.1, 0.6, 0.3]], 0, 2) == pytest.approx(0.75)
    # The second piece bears more on the unit: 0.8 against 0.4.
    assert contradiction([[0.1, 0.6, 0.3], [0.6, 0.2, 0.2]], 0, 2) == pytest.approx(0.25)


def test_the_score_is_one_less_the_mean_contradiction(weights):
    import transformers

    classify = transformers.pipeline("text-classification", model=str(weights / "nli"), top_k=None)
    shares = []
    for sample in SAMPLES:
        found = {each["label"]: each["score"] for each in classify({"text": sample, "text_pair": UNIT})}
        shares.append(found["contradiction"] / (found["contradiction"] + found["entailment"]))

    [said] = judge(UNIT)

    assert said.score == pytest.approx(1 - sum(shares) / 3, abs=1e-6)
    assert said.rationale == f"{sum(share > 0.5 for share in shares)} of 3 other answers contradict it"


def test_the_threshold_itself_supports(weights):
    [said] = judge(UNIT)
    at, above = (judge(UNIT, threshold=f"{said.score + more:.17f}")[0].value for more in (0, 1e-9))
    assert (at, above) == ("supported", "not_supported")


def test_what_cannot_be_judged_is_left_out_with_its_reason(weights):
    outcomes = [judge(UNIT, samples=()), judge(UNIT, samples=(" ",)), judge("late " * 40)]
    assert [outcome.reason for [outcome] in outcomes] == [
        "no other sample",
        "no other sample",
        "longer than the model takes",
    ]
