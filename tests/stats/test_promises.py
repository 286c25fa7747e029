"""The simulation of promises, small: it finds what the procedures were made against."""

import numpy as np

from bench.coverage.promises import POPULATIONS, growing, hoeffding_bentkus, promise, ranks, subject_ranks
from stats.risk_control import PromptLosses


def test_the_threshold_of_the_sample_breaks_its_promise_and_the_tested_one_does_not():
    row = promise(POPULATIONS[1], 183, 0.2, 60)

    assert row.plainly > 0.3
    # More than nine of sixty have a probability below 1 % at 5 % each.
    assert row.broken <= 9 / 60
    assert row.qualified > 0.9
    assert row.oracle <= row.deferred <= row.simpler


def test_looking_after_each_prompt_is_wrong_with_intervals_of_one_time():
    row = growing((0.5, 0.5), 183, 40)

    assert row.plain > 0.15
    assert row.broken <= 7 / 40


def test_ranks_by_pairs_alone_leave_some_out():
    row = ranks([0.5] * 8, 40, 20)

    assert row.plain > 0.4
    assert row.broken <= 4 / 20


def test_sets_of_ranks_of_subjects_hold_them_all():
    row = subject_ranks([0, 0, 1, 2], 40, 20)

    assert row.broken <= 4 / 20
    assert np.isnan(row.plain)
    assert "alone" not in str(row)


def test_hoeffding_and_bentkus_by_hand():
    """Ten prompts without a loss at a rate of 0.2: the smaller of exp(−10 ln(1/0.8)) = 0.8¹⁰ and e · 0.8¹⁰."""
    losses = PromptLosses(np.zeros((10, 1)), np.ones((10, 1)), 1)
    assert np.isclose(hoeffding_bentkus(losses, 0.2)[0], 0.8**10)
