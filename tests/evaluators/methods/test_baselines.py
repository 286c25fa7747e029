"""The three baselines that look at nothing."""

import asyncio
from dataclasses import replace

import pytest

from evaluators.methods import METHODS
from evaluators.methods.parameters import read_parameters
from stats.baselines import random_value
from tests.evaluators.methods.cases import ScriptedModel, make_case


def values(name, case, **parameters):
    method = METHODS[name]
    outcomes = asyncio.run(method.build(read_parameters(method, parameters))(case, ScriptedModel("")))
    return [outcome.value for outcome in outcomes]


@pytest.mark.parametrize(
    ("name", "value"), [("always-supported", "supported"), ("always-not-supported", "not_supported")]
)
def test_a_constant_baseline_says_always_the_same(name, value):
    assert values(name, make_case(segments=["a", "", "c"])) == [value] * 3


def test_random_is_the_draw_of_the_metrics_at_the_same_address():
    case = make_case(facts=[["a", "b"], ["c"]], index="m/Ada")

    assert values("random", case, seed=5) == [random_value(5, "m/Ada", *place) for place in ((0, 0), (0, 1), (1, 0))]


def test_another_seed_or_response_is_another_draw():
    case = make_case(segments=["x"] * 64)

    assert values("random", case, seed=1) != values("random", case, seed=2)
    assert values("random", case) != values("random", replace(case, index="8"))


def test_random_calls_about_half_an_error():
    drawn = values("random", make_case(segments=["x"] * 2000))

    # 2000 fair draws: standard deviation √(2000 · ¼) ≈ 22.4; four of them are 90.
    assert abs(drawn.count("not_supported") - 1000) < 90
