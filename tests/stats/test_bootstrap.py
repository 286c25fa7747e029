"""The clustered bootstrap."""

import numpy as np
import pytest

from stats import bootstrap as room
from stats.arrays import known, ratio
from stats.bootstrap import Resampling, cluster_sums, interval


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


def test_the_interval_is_the_middle_of_the_defined_values():
    # Of 0, 1, …, 100 the quantiles 0.025 and 0.975 are 2.5 and 97.5; two values are undefined.
    found = interval(np.array([*range(101), np.nan, np.nan], dtype=float), clusters=10)
    assert found.ends() == pytest.approx([2.5, 97.5])
    assert found.undefined == 2


@pytest.mark.parametrize(("values", "clusters"), [([0.5, 0.5], 1), ([np.nan, np.nan], 10), ([], 10)])
def test_there_is_no_interval_of_one_cluster_or_of_nothing(values, clusters):
    assert interval(np.array(values, dtype=float), clusters) is None


@pytest.mark.parametrize("value", [0.0, 1 / 3, 1.0])
def test_there_is_no_interval_where_no_resample_differs(value):
    almost = np.array([value, value + 1e-16, np.nan, value])
    assert interval(almost, clusters=10) is None


def test_units_doubled_within_their_clusters_do_not_narrow_the_interval():
    generator = np.random.default_rng(3)
    cluster = np.repeat(np.arange(40), 5)
    error = (generator.random(200) < np.repeat(generator.random(40), 5)).astype(float)

    def around(cluster, error):
        sums = cluster_sums(cluster, np.stack([error, np.ones(len(error))], axis=1), 40)
        totals = Resampling(np.zeros(40, dtype=np.int64)).totals(sums)
        return interval(totals[:, 0] / totals[:, 1], 40).ends()

    once = around(cluster, error)
    assert around(np.tile(cluster, 4), np.tile(error, 4)) == pytest.approx(once)
    # Were the units drawn one by one, four times as many would halve the interval.
    assert once[1] - once[0] > 2 * 1.96 * np.sqrt(error.mean() * (1 - error.mean()) / 200)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    """60 samples of 60 clusters whose rate is 0.3: 95 % of the intervals hold it; 80 % is far below chance of that."""
    generator = np.random.default_rng(11)
    strata = np.zeros(60, dtype=np.int64)
    hits = 0
    for _ in range(60):
        rates = generator.beta(0.6, 1.4, size=60)
        sums = np.stack([generator.binomial(6, rates), np.full(60, 6)], axis=1).astype(float)
        totals = Resampling(strata, resamples=400).totals(sums)
        low, high = interval(totals[:, 0] / totals[:, 1], 60).ends()
        hits += low <= 0.3 <= high
    assert hits >= 0.8 * 60


def test_dividing_by_nothing_is_undefined():
    assert known(ratio(np.array(1), np.array(0))) is None
    assert known(ratio(np.array(1), np.array(4))) == 0.25
