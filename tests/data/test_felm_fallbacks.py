"""On the published FELM file the evaluators fall back as often as its counts say, whatever the model answers."""

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest

from annotate.corpus.felm import read_row
from evaluators.methods import METHODS
from evaluators.methods.base import Reference, units_of
from evaluators.methods.parameters import read_parameters
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.felm_model import FelmModel

pytestmark = pytest.mark.data

RESPONSES = {"math": 194, "reasoning": 208}
SEGMENTS = {"math": 599, "reasoning": 1025}
# Responses of world knowledge, science and writing that have no link, or nothing retrieved (docs/methods.md, Falling
# back).
WITHOUT = {"link": {"no link": 15 + 42 + 58}, "doc": {"no document": 28 + 55 + 63}}
SEGMENTS_WITHOUT = {"link": {"no link": 933}, "doc": {"no document": 1059}}


@pytest.fixture(scope="module")
def cases(published):
    with (published / "felm" / "all.jsonl").open(encoding="utf-8") as file:
        return [read_case(read_row(json.loads(line))) for line in file]


def read_case(row):
    case = make_case([segment.text for segment in row.segments], index=row.index)
    references = tuple(Reference(reference.url, reference.content) for reference in row.references)
    return replace(case, prompt=row.prompt.text, domain=row.prompt.domain, references=references)


async def judge_all(name, cases):
    """The outcomes of the units of each case."""
    judge = METHODS[name].build(read_parameters(METHODS[name], {}))
    model = FelmModel("ALL_CORRECT", claims=("Segment 1:\nClaim 1. Something is so.",))
    return [units_of(await judge(case, model)) for case in cases]


def fallbacks(name, cases):
    """The reasons with the numbers of responses and of segments."""
    outcomes = asyncio.run(judge_all(name, cases))
    by_response = Counter(of_case[0].fallback for of_case in outcomes)
    by_segment = Counter(outcome.fallback for of_case in outcomes for outcome in of_case)
    assert by_response.total() == 847
    assert by_segment.total() == 4426
    return by_response - Counter({"": 847}), by_segment - Counter({"": 4426})


@pytest.mark.parametrize("name", ["felm-claim", "felm-claim-cot"])
def test_claims_fall_back_in_math_and_reasoning_alone(name, cases):
    assert fallbacks(name, cases) == (RESPONSES, SEGMENTS)


@pytest.mark.parametrize("listed", ["segment", "claim"])
@pytest.mark.parametrize("shown", ["link", "doc"])
def test_references_are_missing_as_often_as_in_the_file(listed, shown, cases):
    assert fallbacks(f"felm-{listed}-{shown}", cases) == (
        RESPONSES | WITHOUT[shown],
        SEGMENTS | SEGMENTS_WITHOUT[shown],
    )


@pytest.mark.parametrize("name", ["felm-segment", "felm-segment-cot"])
def test_segments_never_fall_back(name, cases):
    assert fallbacks(name, cases) == ({}, {})
