"""Averages over datasets that count alike (docs/statistics.md, Several datasets)."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR
from stats.macro_average import DatasetPart, average_over_datasets

E, C = ERROR, CORRECT


def part(*evaluators, prompts=10, name="lab", seed=1):
    """A dataset of prompts with one error and one correct unit each. evaluators: how many of the errors each finds, and
    of the correct units how many it calls errors."""
    gold = np.tile(np.array([E, C], dtype=np.int8), prompts)
    decisions = []
    for found, alarms in evaluators:
        decided = np.full((prompts, 2), C, dtype=np.int8)
        decided[:found, 0] = E
        decided[:alarms, 1] = E
        decisions.append(decided.ravel())
    strata = np.zeros(prompts, dtype=np.int64)
    return DatasetPart(name, gold, np.repeat(np.arange(prompts), 2), decisions, Resampling(strata, seed=seed))


def test_every_dataset_counts_alike_whatever_its_size():
    """F1 of 1 in ten prompts; of 20 errors in 40 found, 2 · 20 / (2 · 20 + 20) = 2/3: their mean is 5/6."""
    (average,), differences = average_over_datasets([part((10, 0)), part((20, 0), prompts=40, seed=2)], "f1")

    assert average.value == pytest.approx((1 + 2 / 3) / 2)
    assert (average.rank, average.rank_set, differences) == (1, (1, 1), [])


def test_the_variances_of_the_datasets_add_up():
    """As by other tools: v from the weights of each dataset, ν by Satterthwaite, ends of beta distributions."""
    parts = [part((6, 2), prompts=12, seed=3), part((25, 10), prompts=40, seed=4)]

    def drawn(each):
        gold, decided = each.gold, each.decisions[0]
        tp, fp, fn = (gold == E) & (decided == E), (gold == C) & (decided == E), (gold == E) & (decided == C)
        for block in each.resampling.weights():
            for weights in block:
                of = weights[each.cluster]
                yield 2 * of[tp].sum() / (2 * of[tp].sum() + of[fp].sum() + of[fn].sum())

    values = [2 * 6 / (2 * 6 + 2 + 6), 2 * 25 / (2 * 25 + 10 + 15)]
    shares = [np.var(list(drawn(each))) / 4 for each in parts]
    variance, p = sum(shares), np.mean(values)
    freedom = variance**2 / (shares[0] ** 2 / 11 + shares[1] ** 2 / 39)
    size = p * (1 - p) / variance * (scipy.stats.norm.ppf(0.975) / scipy.stats.t.ppf(0.975, freedom)) ** 2
    ends = (
        scipy.stats.beta.ppf(0.025, size * p, size * (1 - p) + 1),
        scipy.stats.beta.ppf(0.975, size * p + 1, size * (1 - p)),
    )

    (average,), _ = average_over_datasets(parts, "f1")

    assert average.value == pytest.approx(p)
    assert average.interval.ends() == pytest.approx(ends)


def test_an_interval_without_variance_is_that_of_the_draws_that_the_mean_is_worth():
    """All found in 10 and in 20 prompts: 4 / (1/10 + 1/20) = 26.7 draws, so 26, and t of 25 degrees of freedom, 2.0595.
    k = 26 · (1.9600 / 2.0595)² = 23.547; the lower end is 0.025 to the power of 1 / k = 0.855."""
    (average,), _ = average_over_datasets([part((10, 0)), part((20, 0), prompts=20, seed=2)], "f1")

    assert average.interval.ends() == pytest.approx([0.855, 1], abs=0.0005)


def test_an_interval_is_withheld_where_one_dataset_has_too_few_prompts():
    (average,), _ = average_over_datasets([part((10, 0)), part((7, 0), prompts=7, name="small", seed=2)], "f1")

    assert (average.value, average.interval) == (1, None)
    assert average.withheld == "no interval: it rests on 7 prompts with an error in small, and below 8 none holds"


def test_a_figure_that_one_dataset_lacks_has_no_average():
    without = part((0, 0), seed=2)
    without = replace(without, gold=np.full_like(without.gold, C))
    (average,), _ = average_over_datasets([part((10, 0)), without], "f1")

    assert (average.value, average.interval, average.rank, average.rank_set) == (None, None, None, None)


def test_what_each_dataset_says_against_the_other_is_no_difference():
    """Ada finds all errors of the one dataset and half of those of the other, Ben the other way round."""
    averages, (pair,) = average_over_datasets(
        [part((20, 0), (10, 0), prompts=20), part((10, 0), (20, 0), prompts=20, seed=2)], "f1"
    )

    assert pair.difference == pytest.approx(0)
    assert (pair.p_adjusted, pair.better) == (1, None)
    assert [(each.rank, each.rank_set) for each in averages] == [(1, (1, 2)), (1, (1, 2))]


def test_ranks_are_shared_by_those_that_are_not_told_apart():
    """Ada finds all, Ben all but one, Cleo two of each twenty."""
    averages, pairs = average_over_datasets(
        [part((20, 0), (19, 0), (2, 0), prompts=20), part((20, 0), (20, 0), (2, 0), prompts=20, seed=2)], "f1"
    )

    assert [(each.rank, each.rank_set) for each in averages] == [(1, (1, 2)), (2, (1, 2)), (3, (3, 3))]
    assert [pair.better for pair in pairs] == [None, 0, 1]
    ada_cleo = pairs[1]
    assert ada_cleo.difference == pytest.approx(1 - 2 * 2 / (2 * 2 + 18))
    assert ada_cleo.simultaneous.low > 0


def test_two_datasets_tell_more_than_one():
    """72 errors of eighty against twelve, in one dataset and in two like it: draws of their own halve the variance, so
    that the simultaneous interval is 1 / √2 as wide. With one seed for both it would be as wide as of one."""
    one, two = (part((72, 0), (12, 0), prompts=80, seed=seed) for seed in (1, 2))

    (alone,) = average_over_datasets([one], "f1")[1]
    (both,) = average_over_datasets([one, two], "f1")[1]

    assert both.difference == pytest.approx(alone.difference)
    widths = [each.simultaneous.high - each.simultaneous.low for each in (both, alone)]
    assert widths[0] / widths[1] == pytest.approx(2**-0.5, rel=0.05)
    assert (alone.better, both.better) == (0, 0)


def test_the_noise_of_runs_widens_the_interval():
    """Two runs, the one with all errors and the other with half of them: F1 of both 2 · 30 / (2 · 30 + 10) = 6/7."""
    noisy = part((20, 0), (10, 0), prompts=20)
    runs = replace(noisy, decisions=[np.stack(noisy.decisions)])
    calm = part((15, 0), prompts=20)

    (of_runs,), _ = average_over_datasets([runs, part((20, 0), prompts=20, seed=2)], "f1")
    (of_one,), _ = average_over_datasets([calm, part((20, 0), prompts=20, seed=2)], "f1")

    assert of_runs.value == pytest.approx((6 / 7 + 1) / 2)
    assert of_runs.interval.low < of_one.interval.low
