"""A share with its interval."""

import pytest

from stats.control_shares import share_of
from stats.wilson import wilson_interval


def test_wilson_of_one_half_of_ten():
    # z² = 3.8415: (0.5 + 0.1921 ± 1.96·√(0.025 + 0.0096)) / 1.3841
    assert wilson_interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_wilson_of_all_right_is_no_point():
    # Lower end n / (n + z²).
    assert wilson_interval(1.0, 100) == pytest.approx((100 / 103.8415, 1.0), abs=1e-6)


def test_a_prompt_counts_as_one_draw():
    share = share_of([True] * 3 + [False], [1, 1, 2, 2])
    assert (share.n, share.prompts, share.share) == (4, 2, 0.75)
    assert share.interval == wilson_interval(0.75, 2)


def test_nothing_judged_is_undefined_with_a_reason():
    share = share_of([], [])
    assert (share.n, share.share, share.interval) == (0, None, None)
    assert share.why == "nothing was judged that is settled"
