"""Two evaluators on the units that both judged (docs/statistics.md, Intervals and tests)."""

from itertools import product

import numpy as np
import pytest
import scipy

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, ConfusionCounts, precision
from stats.paired_tests import PairFamily, compare_pairs, holm, mcnemar, p_of, permuted_differences
from stats.ranks import rank_ranges
from tests.stats.exact import exact_of

E, C, M, U = ERROR, CORRECT, MISSING, UNPARSED


def draw(seed, units=300, clusters=40):
    """Gold, two evaluators of different worth, and the cluster of each unit."""
    generator = np.random.default_rng(seed)
    cluster = np.sort(generator.integers(0, clusters, units))
    gold = np.where(generator.random(units) < 0.3, ERROR, CORRECT)
    good = np.where(generator.random(units) < 0.9, gold, ERROR + CORRECT - gold)
    poor = np.where(generator.random(units) < 0.6, gold, ERROR + CORRECT - gold)
    return gold.astype(np.int8), good.astype(np.int8), poor.astype(np.int8), cluster


def one_pair(gold, one, other, cluster, figure="f1", strata=None, resamples=2000):
    strata = np.zeros(int(max(cluster)) + 1, dtype=np.int64) if strata is None else strata
    decisions = [np.array(one, dtype=np.int8), np.array(other, dtype=np.int8)]
    resampling = Resampling(strata, resamples=resamples)
    (found,) = compare_pairs(np.array(gold, dtype=np.int8), decisions, np.array(cluster), figure, resampling)
    return found


def test_only_units_that_both_judged_count():
    found = one_pair([E, E, C, C, E, M], [E, C, E, C, U, E], [E, E, C, M, E, E], [0, 0, 1, 1, 2, 2])

    # Units 0 to 2: one has TP 1, FN 1, FP 1, so 2/4; the other 1.
    assert (found.n, found.difference) == (3, -0.5)


def test_a_figure_that_one_of_them_lacks_gives_no_difference():
    found = one_pair([C, C], [E, C], [C, C], [0, 1])

    assert (found.difference, found.interval, found.p, found.p_holm, found.better) == (None, None, None, None, None)


@pytest.mark.parametrize("figure", ["f1", "balanced_accuracy"])
def test_the_interval_is_that_of_scikit_learns_difference_over_the_same_draws(figure):
    import sklearn.metrics

    score = getattr(sklearn.metrics, f"{figure}_score")
    gold, good, poor, cluster = draw(1)
    strata = np.arange(40) % 3
    resampling = Resampling(strata, resamples=200)
    differences = [
        score(gold == E, good == E, sample_weight=weights[cluster])
        - score(gold == E, poor == E, sample_weight=weights[cluster])
        for block in resampling.weights()
        for weights in block
    ]

    found = one_pair(gold, good, poor, cluster, figure, strata, 200)

    assert found.difference == pytest.approx(score(gold == E, good == E) - score(gold == E, poor == E))
    # Put between 0 and 1; every prompt has errors and correct units.
    clusters = min(len(np.unique(cluster[gold == value])) for value in (E, C))
    ends = exact_of((found.difference + 1) / 2, (np.array(differences) + 1) / 2, clusters)
    assert found.interval.ends() == pytest.approx([2 * end - 1 for end in ends])


def test_a_difference_that_no_resample_changes_has_no_interval():
    # Of three clusters with an error each, one evaluator finds all and the other none: 1 − 0 however they are drawn.
    # By the permutations two of eight differ by as much: p is about 1/4, which is not sure.
    found = one_pair([E, E, E], [E, E, E], [C, C, C], [0, 1, 2], "recall")

    assert (found.difference, found.interval, found.better) == (1, None, None)
    assert found.p == pytest.approx(1 / 4, abs=0.05)
    assert one_pair([E] * 20, [E] * 20, [C] * 20, list(range(20)), "recall").interval is None


def test_no_difference_is_said_to_be_larger_than_1():
    """Of ten errors one evaluator finds nine and the other none. Nine changes of sides give a scale of 3/10, so 0.9 and
    twice that would reach 1.5."""
    found = one_pair([E] * 10, [*[E] * 9, C], [C] * 10, range(10), "recall")

    assert found.difference == pytest.approx(0.9)
    assert found.simultaneous.low > 0
    assert found.simultaneous.high == 1


def test_of_seven_prompts_with_an_error_there_is_a_p_but_no_interval():
    found = one_pair([E] * 7, [E] * 7, [*[C] * 6, E], range(7), "recall")

    # Of the 64 ways to exchange six prompts two are as extreme.
    assert found.p == pytest.approx(2 / 64, abs=0.01)
    assert (found.interval, found.simultaneous) == (None, None)


def test_a_difference_that_only_rounding_changes_has_no_interval():
    # Of the three errors of a cluster one finds 3, 2, 1, 3, 2, and the other one less each time: 5/15 less in every
    # draw, but 11/15 − 6/15 and 12/15 − 7/15 are not the same to the last bit.
    one = [E, E, E, E, E, C, E, C, C, E, E, E, E, E, C] * 2
    other = [E, E, C, E, C, C, C, C, C, E, E, C, E, C, C] * 2
    found = one_pair([E] * 30, one, other, [place // 3 for place in range(30)], "recall")

    assert len({high / 15 - (high - 5) / 15 for high in range(5, 16)}) > 1
    assert (found.difference, found.interval) == (pytest.approx(1 / 3), None)


def test_the_permutation_test_agrees_with_all_swaps_there_are():
    from sklearn.metrics import f1_score

    gold, one, other, cluster = draw(5, units=60, clusters=8)
    found = one_pair(gold, one, other, cluster)
    differences = []
    for swaps in product((False, True), repeat=8):
        swap = np.array(swaps)[cluster]
        left, right = np.where(swap, other, one), np.where(swap, one, other)
        differences.append(f1_score(gold == E, left == E) - f1_score(gold == E, right == E))
    exact = np.mean(np.abs(differences) >= abs(found.difference) - 1e-12)

    assert found.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 5000))


def test_evaluators_that_say_the_same_have_a_p_of_one():
    gold, good, _, cluster = draw(2)

    assert one_pair(gold, good, good, cluster).p == 1


def test_a_difference_that_no_permutation_reaches_has_the_smallest_p_there_is():
    clusters = 60
    gold = np.tile([E, C], clusters).astype(np.int8)
    found = one_pair(gold, gold, E + C - gold, np.repeat(np.arange(clusters), 2))

    assert found.p == found.p_adjusted == 1 / 5001
    assert found.better == 0


def test_a_permutation_without_the_figure_counts_as_extreme():
    """Each calls errors in a cluster of its own: swapping one of the two leaves somebody without a call, and so without
    a precision; swapping both turns the difference round."""
    one = ConfusionCounts(tp=column(2, 0), fp=column(0, 0), fn=column(0, 1), tn=column(0, 1))
    other = ConfusionCounts(tp=column(0, 1), fp=column(0, 1), fn=column(2, 0), tn=column(0, 0))

    # 2 of 2 alarms are right, less 1 of 2.
    assert p_of(np.array([0.5]), permuted_differences(one, other, precision, seed=1))[0] == 1


def column(*counts):
    return np.array(counts, dtype=np.float64)[:, None]


def test_a_pair_has_the_same_p_in_a_table_of_two_and_of_many():
    gold, good, poor, cluster = draw(7)
    alone = one_pair(gold, good, poor, cluster)
    resampling = Resampling(np.zeros(40, dtype=np.int64))
    table = compare_pairs(gold, [good, poor, *(draw(seed)[2] for seed in range(8, 14))], cluster, "f1", resampling)

    assert table[0].p == alone.p
    # A matrix of other width is added up in another order on some processors.
    assert (table[0].interval.low, table[0].interval.high) == pytest.approx((alone.interval.low, alone.interval.high))
    assert table[0].p_adjusted >= alone.p == alone.p_adjusted


def test_what_is_sure_and_what_its_simultaneous_interval_says_agree():
    """Seven evaluators of falling worth: some pairs are sure and some are not."""
    generator = np.random.default_rng(21)
    gold, _, _, cluster = draw(21)
    decisions = [np.where(generator.random(300) < 0.9 - 0.05 * place, gold, E + C - gold) for place in range(7)]
    decisions = [each.astype(np.int8) for each in decisions]
    resampling = Resampling(np.zeros(40, dtype=np.int64))
    against_first = [PairFamily([(0, place) for place in range(1, 7)], leader=0)]
    for families in (None, against_first):
        table = compare_pairs(gold, decisions, cluster, "f1", resampling, families=families)
        decided = [each for each in table if each.p_adjusted is not None]
        assert {each.better is not None for each in decided} == {True, False}
        for each in decided:
            assert each.simultaneous is not None
            assert (each.better is not None) == (each.simultaneous.low > 0 or each.simultaneous.high < 0)
            assert (each.better is not None) == (each.p_adjusted < 0.05)
    assert [each.places for each in table if each.p_adjusted is not None] == [(0, place) for place in range(1, 7)]


def test_of_51_evaluators_one_can_still_be_sure():
    """Holm over 1,275 pairs with 25,000 permutations gives 1,275 / 25,001 = 0.051 at the least."""
    generator = np.random.default_rng(51)
    gold, good, _, cluster = draw(51)
    poor = [np.where(generator.random(300) < 0.5, gold, E + C - gold).astype(np.int8) for _ in range(50)]
    table = compare_pairs(gold, [good, *poor], cluster, "f1", Resampling(np.zeros(40, dtype=np.int64), resamples=50))

    assert len(table) == 1_275
    assert {each.better for each in table if 0 in each.places} == {0}


def test_an_undefined_pair_takes_no_part_in_its_family():
    gold = np.tile([E, C], 30).astype(np.int8)
    nothing_called = np.full(60, C, dtype=np.int8)
    decisions = [gold, nothing_called, (E + C - gold).astype(np.int8)]
    resampling = Resampling(np.zeros(30, dtype=np.int64))
    table = compare_pairs(gold, decisions, np.repeat(np.arange(30), 2), "precision", resampling)

    assert [each.better for each in table] == [None, 0, None]
    assert table[1].p_adjusted == 1 / 5001


def test_results_do_not_depend_on_how_many_pairs_are_held_at_a_time(monkeypatch):
    gold, good, poor, cluster = draw(3)
    decisions, resampling = [good, poor, good, poor], Resampling(np.zeros(40, dtype=np.int64))
    together = compare_pairs(gold, decisions, cluster, "f1", resampling)
    monkeypatch.setattr("stats.paired_tests.HELD_BYTES", 1)

    assert compare_pairs(gold, decisions, cluster, "f1", resampling) == together


def test_holm_by_hand():
    adjusted = holm(np.array([0.01, 0.04, np.nan, 0.03, 0.005]))

    assert adjusted == pytest.approx([0.03, 0.06, np.nan, 0.06, 0.02], nan_ok=True)
    assert holm(np.array([0.6, 0.9])).tolist() == [1, 1]
    assert len(holm(np.array([]))) == 0


def test_ranks_are_ranges():
    """Ada was shown better than Cleo; Ben was told apart from neither."""
    ada, ben, cleo = range(3)
    better = np.zeros((3, 3), dtype=np.bool_)
    better[ada, cleo] = True

    ranges = rank_ranges(better)

    assert (ranges[ada], ranges[ben], ranges[cleo]) == ((1, 2), (1, 3), (2, 3))


@pytest.mark.parametrize(("one", "other"), [(0, 0), (5, 1), (3, 3), (12, 30), (900, 1100), (40_000, 41_000)])
def test_mcnemar_is_the_exact_binomial_test(one, other):
    expected = scipy.stats.binomtest(one, one + other).pvalue if one + other else 1

    assert mcnemar(one, other) == pytest.approx(expected, abs=1e-9)
