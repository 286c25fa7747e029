"""Differences between two evaluators on the units that both judged, and whether they are more than chance.

All pairs of a table share the draws.

References
----------
docs/statistics.md, Intervals and tests.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from stats.arrays import Flags, Floats, Ints, known
from stats.bootstrap import ROUNDING, Interval, Resampling, intervals, with_width
from stats.detection import CORRECT, ERROR, METRICS, ConfusionCounts, Decisions

SIGNIFICANT = 0.05

Places = tuple[int, int]
# As many pairs at a time are held, by cluster, as fit in this.
HELD_BYTES = 128 * 2**20


@dataclass(frozen=True)
class PairedDifference:
    """A figure of one evaluator less that of another, by their places.

    Attributes
    ----------
    n : int
        Units that both judged.
    difference : None where either evaluator has no figure on these units
    interval : None too where every resample gives the same value
    p : of the permutation test
    p_holm : adjusted for all pairs of the table
    better : place of the significantly better one, None where neither is
    """

    places: Places
    n: int
    difference: float | None
    interval: Interval | None
    p: float | None
    p_holm: float | None
    better: int | None


def compare_pairs(
    gold: Decisions,
    decisions: Sequence[Decisions],
    cluster: Ints,
    figure: str,
    resampling: Resampling,
    pairs: Sequence[Places] | None = None,
) -> list[PairedDifference]:
    """The difference of a figure between the two evaluators of each pair.

    Parameters
    ----------
    gold, cluster : (N,)
    decisions : (N,) int8 for each evaluator
    figure : name of METRICS
    resampling : Resampling
    pairs : places of evaluators; None for every pair
    """
    pairs = list(combinations(range(len(decisions)), 2)) if pairs is None else pairs
    permutations = permutations_for(len(pairs))
    together = max(1, HELD_BYTES // (8 * 8 * max(1, len(resampling.strata))))
    compared: list[PairedDifference] = []
    for start in range(0, len(pairs), together):
        some = pairs[start : start + together]
        one, other = _count(gold, decisions, cluster, len(resampling.strata), some)
        compared += _compare(some, one, other, METRICS[figure].compute, resampling, permutations)
    adjusted = holm(np.array([np.nan if each.p is None else each.p for each in compared]))
    return [_settle(each, known(value)) for each, value in zip(compared, adjusted, strict=True)]


def _settle(difference: PairedDifference, p_holm: float | None) -> PairedDifference:
    """The difference with its better side, by the adjusted p."""
    if p_holm is None or difference.difference is None or p_holm >= SIGNIFICANT:
        return replace(difference, p_holm=p_holm)
    return replace(difference, p_holm=p_holm, better=difference.places[int(difference.difference < 0)])


def _count(
    gold: Decisions, decisions: Sequence[Decisions], cluster: Ints, clusters: int, pairs: Sequence[Places]
) -> tuple[ConfusionCounts, ConfusionCounts]:
    """Decisions of both evaluators of each pair where both decided: counts (clusters, pairs)."""
    kinds = [cluster * 4 + 2 * (gold == ERROR) + (each == ERROR) for each in decisions]
    with_gold = (gold == ERROR) | (gold == CORRECT)
    decided = [with_gold & ((each == ERROR) | (each == CORRECT)) for each in decisions]
    sums = np.empty((2, 4, clusters, len(pairs)))
    for column, pair in enumerate(pairs):
        both = decided[pair[0]] & decided[pair[1]]
        for place, judge in enumerate(pair):
            counted = np.bincount(kinds[judge][both], minlength=4 * clusters)
            sums[place, :, :, column] = counted.reshape(clusters, 4).T
    one, other = (ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=tn) for tn, fp, fn, tp in sums)
    return one, other


def _compare(
    pairs: Sequence[Places],
    one: ConfusionCounts,
    other: ConfusionCounts,
    compute: Callable[[ConfusionCounts], Floats],
    resampling: Resampling,
    permutations: int,
) -> list[PairedDifference]:
    """The difference without the values that depend on the other pairs of the table."""
    units = one.tp + one.fp + one.fn + one.tn
    observed = compute(_total(one)) - compute(_total(other))
    around = intervals(_drawn(one, other, compute, resampling), (units > 0).sum(axis=0))
    values = permutation_test(one, other, compute, resampling.seed, permutations)
    return [
        PairedDifference(
            places=places,
            n=int(units[:, row].sum()),
            difference=known(observed[row]),
            interval=None if np.isnan(observed[row]) else with_width(around[row]),
            p=known(values[row]),
            p_holm=None,
            better=None,
        )
        for row, places in enumerate(pairs)
    ]


def _total(counts: ConfusionCounts) -> ConfusionCounts:
    return ConfusionCounts(*(each.sum(axis=0) for each in (counts.tp, counts.fp, counts.fn, counts.tn)))


def _drawn(
    one: ConfusionCounts, other: ConfusionCounts, compute: Callable[[ConfusionCounts], Floats], resampling: Resampling
) -> Floats:
    """(resamples, pairs): the difference in each resample of clusters."""
    fields = (one.tp, one.fp, other.tp, other.fp, one.tp + one.fn, one.fp + one.tn)
    (totals,) = resampling.counts([np.concatenate(fields, axis=1)])
    tp, fp, tp_other, fp_other, errors, correct = np.split(totals, len(fields), axis=1)
    of_one = ConfusionCounts(tp, fp, errors - tp, correct - fp)
    of_other = ConfusionCounts(tp_other, fp_other, errors - tp_other, correct - fp_other)
    return compute(of_one) - compute(of_other)


def mcnemar(only_one: int, only_other: int) -> float:
    """Two-sided p of the exact McNemar test: two evaluators are right equally often.

    For accuracy over units that are independent of each other, such as whole responses.

    Parameters
    ----------
    only_one, only_other : int
        Units that the one alone, and the other alone, got right; without any, p is 1.

    References
    ----------
    McNemar (1947), Note on the sampling error of the difference between correlated proportions or percentages.
    docs/statistics.md, Intervals and tests.
    """
    split, fewer = only_one + only_other, min(only_one, only_other)
    places = np.arange(1, fewer + 1)
    # Logarithms of the binomial coefficients from 0 to `fewer`: they overflow beyond a thousand units otherwise.
    ways = np.concatenate([[0.0], np.cumsum(np.log((split - places + 1) / places))])
    return min(1.0, 2 * float(np.exp(ways - split * np.log(2)).sum()))


PERMUTATIONS = 2_000
# The smallest p that n permutations can give is 1/(n + 1). So that Holm leaves something to find in a table of many
# pairs, there are so many for each.
PERMUTATIONS_PER_PAIR = 30
MOST_PERMUTATIONS = 25_000
# Pairs with so many permutations as extreme as the observation are left alone after the first ones: they are nowhere
# near significant (Besag and Clifford 1991).
ENOUGH = 50
BLOCK = 500


def permutations_for(pairs: int) -> int:
    """The number of permutations for a table of so many pairs."""
    return min(MOST_PERMUTATIONS, max(PERMUTATIONS, PERMUTATIONS_PER_PAIR * pairs))


def permutation_test(
    one: ConfusionCounts,
    other: ConfusionCounts,
    compute: Callable[[ConfusionCounts], Floats],
    seed: int,
    permutations: int = PERMUTATIONS,
) -> Floats:
    """Two-sided p of the difference of a figure, by exchanging both evaluators' answers in whole clusters.

    In each cluster the two evaluators change places or do not, the same clusters for all pairs.
    p = (1 + permutations as extreme) / (1 + permutations).

    Parameters
    ----------
    one, other : ConfusionCounts of arrays (C, P)
        Counts of both evaluators of P pairs in each cluster, on the units both judged.
    compute : function of ConfusionCounts to an array
        The figure.
    seed : int
    permutations : int

    Returns
    -------
    (P,); nan where the difference is undefined.

    References
    ----------
    Besag and Clifford (1991), Sequential Monte Carlo p-values. docs/statistics.md, Intervals and tests.
    """
    errors, correct = (one.tp + one.fn).sum(axis=0), (one.fp + one.tn).sum(axis=0)
    pairs = one.tp.shape[1]

    def differences(tp: Floats, fp: Floats, tp_other: Floats, fp_other: Floats, chosen: Flags) -> Floats:
        error, right = errors[chosen], correct[chosen]
        return compute(ConfusionCounts(tp, fp, error - tp, right - fp)) - compute(
            ConfusionCounts(tp_other, fp_other, error - tp_other, right - fp_other)
        )

    everyone: Flags = np.ones(pairs, dtype=np.bool_)
    totals = [each.sum(axis=0) for each in (one.tp, one.fp, other.tp, other.fp)]
    observed = np.abs(differences(totals[0], totals[1], totals[2], totals[3], everyone)) - ROUNDING
    rows = np.flatnonzero(((one.tp != other.tp) | (one.fp != other.fp)).any(axis=1))
    moves = [(theirs - ours)[rows].astype(np.float32) for ours, theirs in ((one.tp, other.tp), (one.fp, other.fp))]
    extreme, done = np.zeros(pairs), np.zeros(pairs)
    open_: Flags = ~np.isnan(observed)
    for swaps in _swaps(len(one.tp), permutations, seed):
        if not open_.any():
            break
        moved_tp, moved_fp = ((swaps[:, rows] @ each[:, open_]).astype(np.float64) for each in moves)
        tp, fp, tp_other, fp_other = (each[open_] for each in totals)
        drawn = differences(tp + moved_tp, fp + moved_fp, tp_other - moved_tp, fp_other - moved_fp, open_)
        # One in which the figure is undefined counts as extreme: that can only make p larger.
        extreme[open_] += (~(np.abs(drawn) < observed[open_])).sum(axis=0)
        done[open_] += len(swaps)
        open_ &= (extreme < ENOUGH) | (done < PERMUTATIONS)
    return np.where(np.isnan(observed), np.nan, (extreme + 1) / (done + 1))


def _swaps(clusters: int, permutations: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """In blocks (some permutations, clusters): 1 where the evaluators change places, else 0."""
    generator = np.random.default_rng([seed, 1])
    for start in range(0, permutations, BLOCK):
        count = min(BLOCK, permutations - start)
        bits = generator.integers(0, 256, size=(count, -(-clusters // 8)), dtype=np.uint8)
        yield np.unpackbits(bits, axis=1, count=clusters).astype(np.float32)


def holm(values: Floats) -> Floats:
    """p values adjusted for all of them by Holm's step-down procedure.

    The smallest is multiplied by their number, the next by one less and so on; none falls below an earlier one.

    Parameters
    ----------
    values : (M,)
        p values; nan where there is nothing to test.

    Returns
    -------
    (M,); nan stays nan and does not count among the tests.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. docs/statistics.md, Intervals and tests.
    """
    adjusted: Floats = np.full(len(values), np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0) if len(order) else values[order]
    return adjusted
