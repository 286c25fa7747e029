"""What a judge that knows nothing says, and how it is expected to fare."""

import numpy as np
import pytest

from stats.baselines import chance_of_error, expected_counts, random_value
from stats.detection import CORRECT, ERROR, MISSING, f1


def test_the_draw_at_an_address_is_always_the_same():
    assert len({random_value(7, "wk-1", 3, None) for _ in range(5)}) == 1


def test_half_of_the_draws_are_errors():
    drawn = [random_value(7, f"row {number}", 0, None) for number in range(4000)]
    # Four standard deviations of 4,000 even draws are 4·√1000 = 126.
    assert abs(drawn.count("not_supported") - 2000) < 126


def test_one_part_called_an_error_is_enough():
    assert chance_of_error(np.array([1, 2, 3])) == pytest.approx([1 / 2, 3 / 4, 7 / 8])


def test_the_expected_counts_by_hand():
    gold = np.array([ERROR, ERROR, CORRECT, MISSING], dtype=np.int8)
    counts = expected_counts(gold, np.array([0.5, 0.75, 0.5, 0.5]), np.zeros(4, dtype=np.int64), 1)
    assert [counts.tp[0], counts.fp[0], counts.fn[0], counts.tn[0]] == [1.25, 0.5, 0.75, 0.5]
    assert f1(counts)[0] == pytest.approx(2.5 / (2.5 + 0.5 + 0.75))
