"""What every registered method, evaluator or editor, must keep to (evaluators/methods/base.py)."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from annotate.prompt_sets.templates import read_template
from evaluators.methods import EDITORS, METHODS
from evaluators.methods.base import (
    CLAIMS,
    EVERY_SCHEME,
    FACTS,
    GUIDELINES,
    MODEL_PARAMETERS,
    OF_JUDGES,
    SEGMENTS,
    Claim,
    Edit,
    EvidencePassage,
    Judgement,
    LabelledFact,
    Method,
    Skip,
    units_of,
)
from evaluators.methods.parameters import ParameterError, read_parameters
from tests.evaluators.methods.cases import ScriptedModel, make_case

SAMPLES = ("Ada Lovelace wrote a program.", "She was born in London.")
FELM_CASES = [
    make_case(),
    replace(make_case(), samples=SAMPLES),
    make_case(references=["Ada Lovelace, born in 1815, wrote a program for the Analytical Engine.", None, ""]),
    make_case(segments=["", "One.", "", "???", "1. a\n2. b"]),
    make_case(segments=["Only one."]),
    replace(make_case(), domain="math"),
]
FACTSCORE_CASES = [
    replace(case, samples=SAMPLES)
    for case in (
        make_case(facts=[["Ada was born.", "Ada was born in 1815."], ["She wrote the first program."]]),
        make_case(facts=[[], ["She wrote."]], references=["She wrote letters."]),
    )
]
CLAIM_CASES = [
    make_case(passages=[["Ada Lovelace was born in 1815.", "She wrote."], []]),
    replace(make_case(segments=["Only one."], passages=[["One of them."]]), prompt="", response="Only one."),
]
EDITING_CASES = [
    replace(case, facts={100: (LabelledFact(1, "Ada was born in 1815.", True), LabelledFact(2, "Ada sang.", False))})
    for case in (make_case(), make_case(segments=["Only one."]), make_case(segments=["", "One.", "1. a\n2. b"]))
]
PAGES = {"Ada Lovelace": [EvidencePassage("Ada Lovelace", "Ada Lovelace was born in London in 1815.")]}
EXTRACTED = "Segment 1:\nClaim 1. Ada was born.\nSegment 2:\nClaim 1. She wrote."
SAID = ("", "gibberish", "Answer: 99", "Answer: " + "9" * 5000, "ALL_CORRECT", "Answer: 1\nAnswer: 2", EXTRACTED)
NEEDED = {
    **{name: {"np_weights": "tiny"} for name in ("factscore-np", "factscore-retrieve-np")},
    **{name: {"nli_weights": "nli"} for name in ("nli", "minicheck", "selfcheck-nli")},
    **{name: {"search": "corpus"} for name in METHODS if METHODS[name].needs_search},
    "panel": {"other_models": "n, o"},
}
VALUES = {"supported", "not_supported", "irrelevant", None}


def make_ready(request) -> Method:
    """The method of a parametrized fixture, with what it needs."""
    method = request.param
    if any(name.endswith("_weights") for name in NEEDED.get(method.name, {})):
        request.getfixturevalue("weights")
    if GUIDELINES in method.parameters:
        request.getfixturevalue("guidelines")
    return method


def cases_of(method: Method):
    if method.edits:
        return EDITING_CASES
    cases = {SEGMENTS: FELM_CASES, FACTS: FACTSCORE_CASES, CLAIMS: CLAIM_CASES}
    return [case for scheme in method.schemes for case in cases[scheme]]


def judge(method: Method, case, *answers: str):
    model = ScriptedModel(*(answers or ("Answer: 1",)), passages=PAGES)
    outcomes = asyncio.run(method.build(read_parameters(method, NEEDED.get(method.name, {})))(case, model))
    return outcomes, model


@pytest.fixture(params=[*METHODS.values(), *EDITORS.values()], ids=lambda method: method.name)
def method(request) -> Method:
    return make_ready(request)


def test_it_is_registered_under_its_name_and_says_what_it_is(method):
    assert (EDITORS if method.edits else METHODS)[method.name] is method
    assert method.title
    assert method.description.endswith(".")
    assert set(method.schemes) <= set(EVERY_SCHEME)
    assert method.schemes


def test_every_unit_has_exactly_one_outcome(method):
    for case in cases_of(method):
        outcomes, _ = judge(method, case)
        assert Counter(outcome.unit for outcome in units_of(outcomes)) == Counter(case.units)


def test_outcomes_are_legal(method):
    for case in cases_of(method):
        for outcome in judge(method, case)[0]:
            if isinstance(outcome, Skip):
                assert outcome.reason
            elif method.edits:
                assert isinstance(outcome, Edit)
                assert outcome.text is None or isinstance(outcome.text, str)
            else:
                assert outcome.value in VALUES
                assert outcome.score is None or 0 <= outcome.score <= 1


def test_a_unit_is_judged_alike_in_whatever_order_the_units_come(method):
    for case in cases_of(method):
        forwards, _ = judge(method, case)
        backwards, _ = judge(method, replace(case, units=case.units[::-1]))
        assert sorted(map(repr, map(rounded, forwards))) == sorted(map(repr, map(rounded, backwards)))


def rounded(outcome):
    """With its score to six decimals: the place in a batch moves the eighth of a local model, on some processors."""
    score = getattr(outcome, "score", None)
    return outcome if score is None else replace(outcome, score=round(score, 6))


def test_a_case_is_judged_alike_again(method):
    for case in cases_of(method):
        assert judge(method, case)[0] == judge(method, case)[0]


def test_it_asks_a_model_exactly_if_it_says_so(method):
    asked = []
    for case in cases_of(method):
        outcomes, model = judge(method, case)
        calls = [outcome.calls for outcome in outcomes if isinstance(outcome, Judgement | Edit | Claim)]
        assert not calls or bool(model.asked) == method.needs_model
        assert all(bool(ids) == method.needs_model for ids in calls)
        asked += model.asked
    assert bool(asked) == method.needs_model


def test_whatever_the_model_says_is_an_outcome(method):
    for case in cases_of(method):
        for answer in SAID:
            assert len(units_of(judge(method, case, answer)[0])) == len(case.units)


def test_its_parameters_have_defaults_that_they_take_themselves(method):
    defaults = read_parameters(method, {})

    assert list(defaults) == [parameter.name for parameter in method.parameters if not parameter.optional]
    assert read_parameters(method, defaults) == defaults
    assert all(parameter.help.endswith(".") or parameter.help.endswith(")") for parameter in method.parameters)


def test_a_parameter_it_does_not_have_is_an_error(method):
    with pytest.raises(ParameterError, match=rf"{method.name} has no parameter 'tresh'"):
        read_parameters(method, {"tresh": "1"})


def test_a_value_beyond_the_bounds_is_an_error(method):
    for parameter in method.parameters:
        for bound, step in ((parameter.minimum, -1), (parameter.maximum, 1)):
            if bound is not None:
                with pytest.raises(ParameterError, match=f"^{parameter.name} is "):
                    read_parameters(method, {parameter.name: bound + step})


def test_a_method_that_asks_a_model_takes_what_all_of_them_take_and_has_its_template(method):
    if method.needs_model:
        needed = {parameter.name for parameter in MODEL_PARAMETERS if not parameter.optional}
        shared = needed - set(OF_JUDGES if method.edits else ())
        assert shared <= set(read_parameters(method, {}))
        assert read_template(read_parameters(method, {})["prompts"], method.prompt).turns
    else:
        assert method.prompt == ""
