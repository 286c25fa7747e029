"""Ranks, by hand."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR
from stats.paired_tests import PairFamily, compare_pairs
from stats.ranks import rank_of, rank_ranges


@pytest.mark.parametrize(("value", "rank"), [(0.9, 1), (0.7, 2), (0.5, 4)])
def test_equal_figures_share_the_first_of_their_ranks(value, rank):
    # 0.9 is first; two figures of 0.7 share rank 2; three figures are higher than 0.5.
    assert rank_of(value, [0.7, 0.9, 0.5, 0.7]) == rank


def test_sets_of_ranks_count_the_better_and_the_worse():
    # The first is better than the third and the fourth, the second than the fourth.
    better = np.zeros((4, 4), dtype=np.bool_)
    better[0, 2] = better[0, 3] = better[1, 3] = True
    assert rank_ranges(better) == [(1, 2), (1, 3), (2, 4), (3, 4)]


def test_every_pair_is_decided_together_whatever_the_families_are():
    """Beside the leader's family the pairs of ranked evaluators have the verdicts of one family of them all."""
    generator = np.random.default_rng(1)
    cluster = np.repeat(np.arange(60), 4)
    gold = np.where(generator.random(240) < 0.5, ERROR, CORRECT).astype(np.int8)
    decisions = [
        np.where(generator.random(240) < share, ERROR + CORRECT - gold, gold).astype(np.int8)
        for share in (0, 0.1, 0.4, 0.5)
    ]
    resampling = Resampling(np.zeros(60, dtype=np.int64), resamples=2)
    three = [(0, 1), (0, 2), (1, 2)]
    own = compare_pairs(
        gold, decisions, cluster, "f1", resampling, families=[PairFamily([(0, 2)], 0)], ranked=(0, 1, 2)
    )
    whole = compare_pairs(gold, decisions, cluster, "f1", resampling, families=[PairFamily(three)])
    for one, other in zip(own, whole, strict=True):
        assert one.better_of_all == other.better
        assert (one.better is None) == (one.places != (0, 2))
    assert {each.better_of_all for each in own if each.places in three} == {0, 1}
    assert all(each.better_of_all is None for each in whole)
