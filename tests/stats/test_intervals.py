"""Intervals of clustered figures: against SciPy's exact ones, by hand, and how often they hold."""

import numpy as np
import pytest
import scipy

from stats.arrays import ratio
from stats.bootstrap import Resampling, cluster_sums
from stats.intervals import (
    FEWEST_CLUSTERS,
    Z,
    effective_interval,
    effective_intervals,
    exact_ends,
    mean_interval,
    why_withheld,
)


def narrower() -> float:
    """What t with 29 degrees of freedom takes from the size."""
    return (Z / scipy.stats.t.ppf(0.975, 29)) ** 2


@pytest.mark.parametrize("hits", [1, 7, 15, 29])
def test_units_that_are_their_own_clusters_have_the_exact_binomial_interval(hits):
    """Clopper and Pearson's, as SciPy has it, but for t in the place of z, which 10,000 clusters bring to nothing."""
    share = np.array([hits / 30])
    low, high = exact_ends(share, share * (1 - share) / 30, np.array([10_000]))
    exact = scipy.stats.binomtest(hits, 30).proportion_ci(0.95, method="exact")
    assert (low[0], high[0]) == pytest.approx((exact.low, exact.high), abs=2e-4)


def test_few_clusters_shrink_the_size_by_t():
    # Beta quantiles by SciPy of 30 draws worth 30 · (1.96 / 2.045)² = 27.55.
    size = 30 * narrower()
    low, high = exact_ends(np.array([0.4]), np.array([0.4 * 0.6 / 30]), np.array([30]))
    assert low[0] == pytest.approx(scipy.stats.beta.ppf(0.025, 0.4 * size, 0.6 * size + 1))
    assert high[0] == pytest.approx(scipy.stats.beta.ppf(0.975, 0.4 * size + 1, 0.6 * size))


def test_a_cluster_of_equal_units_counts_once():
    """Of 30 prompts 12 are all error: doubling their units changes nothing, and n is 30 prompts, not 60 units."""
    sums = np.array([[2.0, 2.0]] * 12 + [[0.0, 2.0]] * 18)
    drawn = Resampling(np.zeros(30, dtype=np.int64)).totals(sums)
    found = effective_interval(0.4, ratio(drawn[:, 0], drawn[:, 1]), 30)
    # The variance of a mean of 30 with n − 1 is 0.4 · 0.6 / 29, so n is 29; 2,000 resamples tell it up to some percent.
    size = 29 * narrower()
    exact = [
        scipy.stats.beta.ppf(0.025, 0.4 * size, 0.6 * size + 1),
        scipy.stats.beta.ppf(0.975, 0.4 * size + 1, 0.6 * size),
    ]
    assert found.ends() == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_where_all_resamples_agree_every_cluster_is_one_draw(value):
    """The exact bound for none of n is 1 − 0.025^(1/n): 0.116 for 30, and 0.126 with the size that t leaves of them."""
    found = effective_interval(value, np.full(100, value), 30)
    bound = 1 - 0.025 ** (1 / (30 * narrower()))
    assert bound == pytest.approx(0.1253, abs=5e-4)
    assert found.ends() == pytest.approx([1 - bound, 1.0] if value else [0.0, bound])


def test_a_share_that_no_resample_changes_has_a_width_too():
    found = effective_interval(0.75, np.full(100, 0.75), 12)
    size = 12 * (Z / scipy.stats.t.ppf(0.975, 11)) ** 2
    assert found.ends() == pytest.approx(
        [
            scipy.stats.beta.ppf(0.025, 0.75 * size, 0.25 * size + 1),
            scipy.stats.beta.ppf(0.975, 0.75 * size + 1, 0.25 * size),
        ]
    )


def test_another_scale_moves_the_ends_with_it():
    drawn = np.random.default_rng(4).normal(0.6, 0.05, 500)
    inside = effective_interval(0.6, drawn, 40)
    outside = effective_interval(2 * 0.6 - 1, 2 * drawn - 1, 40, low=-1.0)
    assert outside.ends() == pytest.approx([2 * end - 1 for end in inside.ends()])


def test_below_8_clusters_there_is_none_and_the_reason_says_so():
    drawn = np.full((50, 2), 0.5)
    found = effective_intervals(np.array([0.5, 0.5]), drawn, np.array([FEWEST_CLUSTERS - 1, FEWEST_CLUSTERS]))
    assert found[0] is None
    assert found[1].low < 0.5 < found[1].high
    assert why_withheld(7, "prompts with an error") == (
        "no interval: it rests on 7 prompts with an error, and below 8 none holds"
    )
    assert why_withheld(8) == ""


def test_resamples_without_a_value_are_counted_and_left_out():
    values = np.array([*np.random.default_rng(5).random(100)])
    gaps = np.concatenate([values, [np.nan] * 7])
    assert effective_interval(0.5, gaps, 20).undefined == 7
    assert effective_interval(0.5, gaps, 20).ends() == pytest.approx(effective_interval(0.5, values, 20).ends())


def test_an_undefined_figure_has_none():
    assert effective_interval(None, np.full(50, np.nan), 20) is None


def test_units_doubled_within_their_clusters_do_not_narrow_it():
    generator = np.random.default_rng(3)
    cluster = np.repeat(np.arange(40), 5)
    error = (generator.random(200) < np.repeat(generator.random(40), 5)).astype(float)

    def around(cluster, error):
        sums = cluster_sums(cluster, np.stack([error, np.ones(len(error))], axis=1), 40)
        totals = Resampling(np.zeros(40, dtype=np.int64)).totals(sums)
        return effective_interval(error.mean(), totals[:, 0] / totals[:, 1], 40).ends()

    assert around(np.tile(cluster, 4), np.tile(error, 4)) == pytest.approx(around(cluster, error))


def test_a_share_that_rounding_puts_below_0_has_no_end_below_0():
    """1 − (0.1 + 0.2 + … + 0.7) / 2.8 is −2e−16, and the interval of a specificity began at −1e−17."""
    value = 1 - sum(place / 10 for place in range(1, 8)) / 2.8
    found = effective_interval(value, np.full(50, value), 20)
    assert (found.low, found.low >= 0, found.high < 0.3) == (0, True, True)


def test_a_figure_without_bounds_has_students_interval():
    drawn = np.random.default_rng(8).normal(5, 2, 4_000)
    found = mean_interval(5.0, drawn, 10)
    half = scipy.stats.t.ppf(0.975, 9) * drawn.std()
    assert found.ends() == pytest.approx([5 - half, 5 + half])
    assert mean_interval(5.0, drawn, 7) is None
    assert mean_interval(5.0, np.full(100, 5.0), 10) is None
