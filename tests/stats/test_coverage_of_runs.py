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


@pytest.mark.parametrize("alike", [0.5, 0.02])
def test_intervals_over_prompts_and_runs_hold_where_those_over_prompts_do_not(alike):
    """Half of the variance is between runs; of 400 samples chance takes 95 % to 92.8 % once in fifty."""
    row = covered(0.5, 2, EFFORT, alike)

    assert row.both.share >= 0.925
    assert row.prompts.share <= 0.91
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


def test_equal_evaluators_are_told_apart_by_one_run_and_not_by_several():
    one, three = (wrongly_better(0.5, runs, 100) for runs in (1, 3))

    # At 5 % each, more than eleven of a hundred have a probability below 1 %.
    assert one.both > 0.12
    assert three.both <= 0.11
    assert three.prompts > three.both
    assert error_line(one).count("|") == ERROR_HEAD.splitlines()[0].count("|")


def test_permuted_sets_of_runs_tell_apart_evaluators_that_differ_on_these_prompts_alone():
    """Their p is of these prompts: it is below 5 % where the prompts are another draw and no more."""
    row = wrongly_better(0.0, 5, 60)

    assert row.sets > 0.4
    assert row.both <= 9 / 60
