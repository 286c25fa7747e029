"""What every registered method keeps to whatever is chosen for its parameters, not by default alone."""

import asyncio
from collections import Counter

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import RELEASED_CODE, Judgement, Method, units_of
from evaluators.methods.parameters import read_parameters
from tests.evaluators.methods.cases import ScriptedModel
from tests.evaluators.methods.test_contract import NEEDED, PAGES, SAID, VALUES, cases_of, make_ready

# What embeds by a model on this machine has tests of its own, and not every machine has a GPU.
LEFT_OUT = ("dense-local", "cuda")


@pytest.fixture(params=METHODS.values(), ids=lambda method: method.name)
def method(request) -> Method:
    return make_ready(request)


def others(method: Method) -> list[dict[str, object]]:
    """Each choice that is not the default, by itself; several samples too."""
    # The published code's retrieval needs weights.
    retrieval = {"retrieval": "bm25"} if any(each.name == "retrieval" for each in method.parameters) else {}
    chosen: list[dict[str, object]] = [
        {parameter.name: choice} | (retrieval if choice == RELEASED_CODE else {})
        for parameter in method.parameters
        for choice in (parameter.choices or ((True, False) if isinstance(parameter.default, bool) else ()))
        if choice not in (parameter.default, *LEFT_OUT)
    ]
    return chosen + [{"samples": 3, "temperature": 1.0}] * method.needs_model


def judge(method: Method, parameters: dict[str, object], case, *answers: str):
    model = ScriptedModel(*answers, passages=PAGES)
    given = read_parameters(method, NEEDED.get(method.name, {}) | parameters)
    return asyncio.run(method.build(given)(case, model)), model, given


def test_every_unit_has_one_legal_outcome_whatever_is_chosen(method):
    for parameters in others(method):
        for case in cases_of(method):
            outcomes, model, _ = judge(method, parameters, case, *SAID)
            assert Counter(outcome.unit for outcome in units_of(outcomes)) == Counter(case.units), parameters
            judged = [outcome for outcome in outcomes if isinstance(outcome, Judgement)]
            assert {outcome.value for outcome in judged} <= VALUES
            assert all(outcome.score is None or 0 <= outcome.score <= 1 for outcome in judged)
            assert bool(model.asked) == (method.needs_model and bool(judged)), parameters


def test_no_more_is_asked_than_the_estimate_counts_whatever_is_chosen(method):
    if method.calls is None:
        pytest.skip("its estimate is a rehearsal")
    question = "Question: When was she born?\nAnswer: 1815"
    for parameters in others(method):
        for case in cases_of(method):
            _, model, given = judge(method, parameters, case, question)
            assert len(model.asked) <= method.calls(case, given), parameters
