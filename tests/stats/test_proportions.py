"""Shares of categories, with whole prompts resampled."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.proportions import control_share, difference, shares_of, shares_where, wilson_interval
from tests.stats.exact import exact


def ints(*values):
    return np.array(values, dtype=np.int64)


def flags(*values):
    return np.array(values, dtype=np.bool_)


def share_where(hit, counted, cluster, resampling):
    (found,) = shares_where(hit[:, None], counted[:, None], cluster, resampling)
    return found


FOUR = Resampling(ints(0, 0, 0, 0))


def test_a_share_is_of_the_units_that_have_a_category():
    found = shares_of(ints(0, 1, 1, -1), 3, ints(0, 1, 2, 3), FOUR)
    assert [(each.count, each.n) for each in found] == [(1, 3), (2, 3), (0, 3)]
    assert [each.share for each in found] == pytest.approx([1 / 3, 2 / 3, 0])


def one_stratum(prompts):
    return Resampling(np.zeros(prompts, dtype=np.int64))


def test_the_interval_is_that_of_resampled_prompts():
    """Of sixteen prompts of two units each, eight are all hits and eight none: fifteen draws, not thirty-one."""
    hit, every = np.repeat([True, False], 16), np.ones(32, dtype=bool)
    share = share_where(hit, every, np.arange(32) // 2, one_stratum(16))
    assert share.interval.ends() == pytest.approx(exact(0.5, 15, 16), abs=0.015)


def test_units_of_one_prompt_are_no_evidence_of_their_own():
    """As many units in fewer prompts: a wider interval."""
    hit, every = flags(*[1, 0] * 16), flags(*[1] * 32)
    apart = share_where(hit, every, np.arange(32), one_stratum(32))
    together = share_where(hit, every, np.arange(32) % 8, one_stratum(8))
    assert together.interval.high - together.interval.low > apart.interval.high - apart.interval.low


def test_none_of_all_has_the_interval_of_as_many_prompts():
    share = share_where(flags(*[0] * 12), flags(*[1] * 11, 0), ints(0, 0, *range(1, 11)), one_stratum(11))
    assert share.share == 0
    assert share.interval.ends() == pytest.approx(exact(0, 10, 10))


def test_seven_prompts_have_no_interval():
    assert share_where(flags(*[1, 0] * 7), flags(*[1] * 14), np.arange(14) // 2, one_stratum(7)).interval is None


def test_a_share_of_nothing_is_undefined():
    share = share_where(flags(1), flags(0), ints(0), FOUR)
    assert (share.share, share.interval) == (None, None)


def test_one_prompt_has_no_interval():
    assert share_where(flags(1, 0), flags(1, 1), ints(0, 0), FOUR).interval is None


def test_the_difference_is_paired():
    """In each prompt the first units are hit and the second are not: whatever is drawn, the difference is 1."""
    hit, first = flags(1, 0, 1, 0), flags(1, 0, 1, 0)
    value, around = difference(hit, first, ~first, ints(0, 0, 1, 1), Resampling(ints(0, 0)))
    assert (value, around) == (1, None)


def test_the_difference_has_an_interval_where_resamples_differ():
    """In six of twelve prompts the first unit is hit, in three of these the second too: paired, the difference is 1 in
    three prompts and 0 in nine."""
    hit = flags(*[1] * 6, *[0] * 6, *[1] * 3, *[0] * 9)
    first = np.arange(24) < 12
    value, around = difference(hit, first, ~first, np.arange(24) % 12, one_stratum(12))
    assert value == pytest.approx(0.25)
    ends = exact(0.625, 0.625 * 0.375 / (0.25 * 0.75 / 11 / 4), 12)
    assert around.ends() == pytest.approx([2 * end - 1 for end in ends], abs=0.02)


def test_a_difference_to_nothing_is_undefined():
    assert difference(flags(1, 0), flags(1, 1), flags(0, 0), ints(0, 1), FOUR) == (None, None)


def test_wilson_of_one_half_of_ten():
    # z² = 3.8415: (0.5 + 0.1921 ± 1.96·√(0.025 + 0.0096)) / 1.3841
    assert wilson_interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_wilson_of_all_right_is_no_point():
    # Lower end n / (n + z²).
    assert wilson_interval(1.0, 100) == pytest.approx((100 / 103.8415, 1.0), abs=1e-6)


def test_a_prompt_counts_as_one_draw():
    share = control_share([True] * 3 + [False], [1, 1, 2, 2])
    assert (share.n, share.prompts, share.share) == (4, 2, 0.75)
    assert share.interval == wilson_interval(0.75, 2)


def test_nothing_judged_is_undefined_with_a_reason():
    share = control_share([], [])
    assert (share.n, share.share, share.interval) == (0, None, None)
    assert share.why == "no labels with gold"
