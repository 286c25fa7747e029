"""The share of labels that follow a suggestion."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.suggestions import following


def test_shares_their_intervals_and_the_difference() -> None:
    # Ten prompts with a label that saw the suggestion and is alike; ten with one that saw none, half of them alike.
    alike = np.array([True] * 10 + [True, False] * 5)
    seen = np.arange(20) < 10
    shown, hidden = following(alike, np.arange(20), [seen, ~seen], Resampling(np.zeros(20, dtype=np.int64)))
    assert (shown.n, shown.share, shown.difference) == (10, 1.0, 0.5)
    # t of 9 degrees is 2.262157: k = 10 · (1.959964 / 2.262157)² = 7.5068, and 0.025^(1 / 7.5068) = 0.6118.
    assert shown.interval is not None
    assert shown.interval.ends() == pytest.approx([0.6118, 1.0], abs=1e-4)
    assert shown.around_difference is not None
    assert 0 < shown.around_difference.low < 0.5 < shown.around_difference.high < 1
    assert (hidden.share, hidden.difference, hidden.around_difference) == (0.5, None, None)


def test_a_group_without_labels_is_undefined_and_so_is_what_is_compared_with_it() -> None:
    nobody = np.zeros(2, dtype=np.bool_)
    resampling = Resampling(np.zeros(1, dtype=np.int64))
    shown, hidden = following(~nobody, np.zeros(2, dtype=np.int64), [~nobody, nobody], resampling)
    assert (shown.share, shown.difference, shown.withheld != "") == (1.0, None, True)
    assert (hidden.n, hidden.share, hidden.interval, hidden.withheld) == (0, None, None, "")
