"""Ranks, by hand."""

import pytest

from stats.ranks import rank_of


@pytest.mark.parametrize(("value", "rank"), [(0.9, 1), (0.7, 2), (0.5, 4)])
def test_equal_figures_share_the_first_of_their_ranks(value, rank):
    # 0.9 is first; two figures of 0.7 share rank 2; three figures are higher than 0.5.
    assert rank_of(value, [0.7, 0.9, 0.5, 0.7]) == rank
