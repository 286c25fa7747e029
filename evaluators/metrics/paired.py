"""Two evaluators on the units that both judged: how far apart, and is it more than chance.

See docs/statistics.md, Intervals and tests.

All pairs of a table share the draws. Plain arrays, no database.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from annotate.agreement.resampling import Floats, Interval, Ints, Resampling, intervals, known

from evaluators.metrics.detection import COMPUTE, CORRECT, ERROR, Counts, Decisions
from evaluators.metrics.holm import holm
from evaluators.metrics.permutation import permutation_test, permutations_for

SIGNIFICANT = 0.05

# Draws that differ by less say the same.
ROUNDING = 1e-12

Places = tuple[int, int]
# As many pairs at a time are held, by cluster, as fit in this.
HELD_BYTES = 128 * 2**20


@dataclass(frozen=True)
class Difference:
    """A figure of one evaluator less that of the other, by their places; None where either has none on the units both
    judged (n of them). interval: None too where every resample says the same.

    p: of the permutation test; p_holm: adjusted for all pairs of the table. better: the place of the one that was
    shown better, None where they were not told apart.
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
) -> list[Difference]:
    """The difference of a figure (one of FIGURES) between both evaluators of every pair, or of these pairs.

    gold, each evaluator's decisions and `cluster` have a place for each unit (N,).
    """
    pairs = list(combinations(range(len(decisions)), 2)) if pairs is None else pairs
    permutations = permutations_for(len(pairs))
    together = max(1, HELD_BYTES // (8 * 8 * max(1, len(resampling.strata))))
    found: list[Difference] = []
    for start in range(0, len(pairs), together):
        some = pairs[start : start + together]
        one, other = _count(gold, decisions, cluster, len(resampling.strata), some)
        found += _compare(some, one, other, COMPUTE[figure], resampling, permutations)
    adjusted = holm(np.array([np.nan if each.p is None else each.p for each in found]))
    return [_settle(each, known(value)) for each, value in zip(found, adjusted, strict=True)]


def _settle(difference: Difference, p_holm: float | None) -> Difference:
    """Who was shown better, now that p is adjusted."""
    if p_holm is None or difference.difference is None or p_holm >= SIGNIFICANT:
        return replace(difference, p_holm=p_holm)
    return replace(difference, p_holm=p_holm, better=difference.places[int(difference.difference < 0)])


def _count(
    gold: Decisions, decisions: Sequence[Decisions], cluster: Ints, clusters: int, pairs: Sequence[Places]
) -> tuple[Counts, Counts]:
    """What the one and the other of each pair said where both decided: counts (clusters, pairs)."""
    kinds = [cluster * 4 + 2 * (gold == ERROR) + (each == ERROR) for each in decisions]
    with_gold = (gold == ERROR) | (gold == CORRECT)
    decided = [with_gold & ((each == ERROR) | (each == CORRECT)) for each in decisions]
    sums = np.empty((2, 4, clusters, len(pairs)))
    for column, pair in enumerate(pairs):
        both = decided[pair[0]] & decided[pair[1]]
        for place, judge in enumerate(pair):
            counted = np.bincount(kinds[judge][both], minlength=4 * clusters)
            sums[place, :, :, column] = counted.reshape(clusters, 4).T
    one, other = (Counts(tp=tp, fp=fp, fn=fn, tn=tn) for tn, fp, fn, tp in sums)
    return one, other


def _compare(
    pairs: Sequence[Places],
    one: Counts,
    other: Counts,
    compute: Callable[[Counts], Floats],
    resampling: Resampling,
    permutations: int,
) -> list[Difference]:
    """Without what depends on the other pairs of the table."""
    units = one.tp + one.fp + one.fn + one.tn
    observed = compute(_total(one)) - compute(_total(other))
    around = intervals(_drawn(one, other, compute, resampling), (units > 0).sum(axis=0))
    values = permutation_test(one, other, compute, resampling.seed, permutations)
    return [
        Difference(
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


def with_width(around: Interval | None) -> Interval | None:
    """The interval; None where every resample says the same: they tell nothing of chance then, and the figure would
    seem certain, be it of three units that are all one way."""
    return around if around is not None and around.high - around.low > ROUNDING else None


def _total(counts: Counts) -> Counts:
    return Counts(*(each.sum(axis=0) for each in (counts.tp, counts.fp, counts.fn, counts.tn)))


def _drawn(one: Counts, other: Counts, compute: Callable[[Counts], Floats], resampling: Resampling) -> Floats:
    """(resamples, pairs): the difference in each resample of clusters."""
    fields = (one.tp, one.fp, other.tp, other.fp, one.tp + one.fn, one.fp + one.tn)
    (totals,) = resampling.counts([np.concatenate(fields, axis=1)])
    tp, fp, tp_other, fp_other, errors, correct = np.split(totals, len(fields), axis=1)
    of_one = Counts(tp, fp, errors - tp, correct - fp)
    of_other = Counts(tp_other, fp_other, errors - tp_other, correct - fp_other)
    return compute(of_one) - compute(of_other)
