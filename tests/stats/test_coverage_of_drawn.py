"""The coverage of figures from drawn labels that anyone can simulate: python -m bench.coverage."""

import numpy as np
import pytest

from bench.coverage.coverage import Effort
from bench.coverage.drawn import HEAD, OTHERS, SIZES, drawn_coverage, drawn_coverages, random_ends, simulate_judged
from stats.drawn_labels import RATIOS, figure_of_totals

# Prompts with two units: an error found, or missed, or a false alarm; the rest correct.
FOUND, MISSED, ALARM = [1, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1]


@pytest.mark.parametrize(("others", "narrower"), [("good", 0.6), ("mediocre", 0.9), ("useless", 1.0)])
def test_from_20_drawn_prompts_on_intervals_hold_and_are_no_wider_than_at_random(others, narrower):
    """Of 300 samples chance takes 95 % to 92 % once in fifty."""
    judged = simulate_judged(OTHERS[others])
    truth = figure_of_totals("f1", judged.totals().sum(axis=0))
    row = drawn_coverage(judged, others, "f1", 20, truth, 300)
    assert row.held >= 0.92
    assert row.given >= 0.85
    assert row.width <= narrower * row.random_width


def test_drawn_labels_taken_for_random_ones_are_wrong():
    judged = simulate_judged(OTHERS["useless"])
    truth = figure_of_totals("recall", judged.totals().sum(axis=0))
    row = drawn_coverage(judged, "useless", "recall", 60, truth, 200)
    assert row.as_random < 0.88 < row.held


def test_every_world_gives_a_row():
    rows = list(drawn_coverages(Effort(samples=6, resamples=2)))
    assert len(rows) == len(OTHERS) * len(RATIOS) * len(SIZES)
    assert {str(row).count("|") for row in rows} == {HEAD.splitlines()[0].count("|")}


def test_the_interval_of_random_prompts_is_that_of_a_ratio():
    """Recall of 12 prompts, nine errors of which six are found: 6/9, and its variance by the ratio of two means."""
    totals = np.array([FOUND] * 6 + [MISSED] * 3 + [ALARM] * 3, dtype=np.float64)
    low, high = random_ends(totals, "recall")
    residuals = totals[:, 0] - 6 / 9 * (totals[:, 0] + totals[:, 2])
    variance = 12 * residuals.var(ddof=1) / 9**2
    assert low < 6 / 9 - 1.5 * variance**0.5 < 6 / 9 + 1.5 * variance**0.5 < high
    assert random_ends(totals[:4], "recall") is None
