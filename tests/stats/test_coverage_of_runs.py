"""The simulation of repeated runs, small; seeds are fixed."""

import numpy as np
import pytest

from bench.coverage.coverage import Effort
from bench.coverage.population import SCENARIOS
from bench.coverage.runs import (
    ERROR_HEAD,
    F1,
    HEAD,
    asked_prompts,
    covered,
    error_line,
    line_of,
    scale_of,
    wrongly_better,
)

EFFORT = Effort(samples=400, resamples=300)


@pytest.mark.parametrize("runs", [2, 5])
def test_intervals_over_prompts_and_runs_hold_where_those_over_prompts_do_not(runs):
    """Half of the variance is between runs; of 400 samples chance takes 95 % to 92.8 % once in fifty."""
    row = covered(0.5, runs, EFFORT)

    assert row.both.share >= 0.925
    assert row.prompts.share <= 0.92
    assert line_of(row).count("|") == HEAD.splitlines()[0].count("|")


def test_one_run_misses_what_moves_a_whole_run_and_only_that():
    assert covered(0.0, 1, EFFORT).both.share >= 0.93
    assert covered(0.5, 1, EFFORT).both.share <= 0.87


def test_the_shifts_make_the_share_that_was_asked_for():
    generator = np.random.default_rng(1)
    population = asked_prompts(SCENARIOS[0], 20_000, generator)
    scale = scale_of(population, 0.5, 60)
    places = generator.integers(0, 20_000, (60, 2_000))

    shifted, steady = (np.nanvar(F1(population.run(places, each, generator).sum(axis=0))) for each in (scale, 0.0))

    assert 1 - steady / shifted == pytest.approx(0.5, abs=0.06)


def test_equal_evaluators_whose_runs_differ_are_told_apart_by_prompts_alone():
    row = wrongly_better(0.5, 5, 100)

    assert row.prompts > 0.15
    # More than eleven of a hundred have a probability below 1 % at 5 % each.
    assert row.both <= 0.11
    assert error_line(row).count("|") == ERROR_HEAD.splitlines()[0].count("|")
