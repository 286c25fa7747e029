"""The clustered bootstrap."""

import numpy as np
import pytest

from stats import bootstrap as room
from stats.arrays import known, ratio
from stats.bootstrap import Resampling, cluster_sums


def draw_all(resampling):
    return np.concatenate(list(resampling.weights()))


def test_each_resample_draws_as_many_clusters_of_a_stratum_as_it_has():
    strata = np.array([0, 0, 0, 1, 1, 0])
    weights = draw_all(Resampling(strata, resamples=50))
    assert weights.shape == (50, 6)
    assert (weights[:, strata == 0].sum(axis=1) == 4).all()
    assert (weights[:, strata == 1].sum(axis=1) == 2).all()


def test_the_same_seed_draws_the_same_and_another_does_not():
    strata = np.zeros(30, dtype=np.int64)
    assert (draw_all(Resampling(strata)) == draw_all(Resampling(strata))).all()
    assert (draw_all(Resampling(strata)) != draw_all(Resampling(strata, seed=1))).any()


def test_the_draws_do_not_depend_on_the_size_of_the_blocks(monkeypatch):
    strata = np.array([0, 1, 0, 1, 0, 1, 1])
    whole = draw_all(Resampling(strata, resamples=40))
    monkeypatch.setattr(room, "BLOCK_BYTES", 8 * 7 * 3)
    blocks = list(Resampling(strata, resamples=40).weights())
    assert [len(block) for block in blocks] == [3] * 13 + [1]
    assert (np.concatenate(blocks) == whole).all()


def test_strata_of_one_cluster_are_drawn_together():
    weights = draw_all(Resampling(np.array([0, 1, 2, 2]), resamples=200))
    assert (weights[:, :2].sum(axis=1) == 2).all()
    assert weights[:, 0].std() > 0


def test_totals_are_the_sums_of_the_clusters_drawn():
    resampling = Resampling(np.array([0, 0, 0]), resamples=20)
    sums = np.array([[1.0, 10.0], [2.0, 0.0], [4.0, 5.0]])
    weights = draw_all(resampling)
    by_hand = [[sum(w[c] * sums[c, k] for c in range(3)) for k in range(2)] for w in weights]
    assert resampling.totals(sums) == pytest.approx(np.array(by_hand))


def test_dividing_by_nothing_is_undefined():
    assert known(ratio(np.array(1), np.array(0))) is None
    assert known(ratio(np.array(1), np.array(4))) == 0.25


def test_sums_of_no_unit_are_zeros_to_divide():
    sums = cluster_sums(np.zeros(0, dtype=np.int64), np.zeros((0, 2)), 3)
    assert (sums.dtype, sums.tolist()) == (np.float64, [[0, 0]] * 3)
