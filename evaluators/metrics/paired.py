"""Two evaluators on the units that both judged: how far apart, and is it more than chance (definitions.md §6).

All pairs of a table share the draws. Plain arrays, no database.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotate.agreement.resampling import Floats, Interval, Ints, Resampling, interval
from evaluators.metrics.detection import (
    CORRECT,
    ERROR,
    Counts,
    Decisions,
    accuracy,
    balanced_accuracy,
    f1,
    macro_f1,
    precision,
    recall,
)
from evaluators.metrics.holm import holm
from evaluators.metrics.permutation import permutation_test

COMPARED: dict[str, Callable[[Counts], Floats]] = {
    "f1": f1,
    "precision": precision,
    "recall": recall,
    "macro_f1": macro_f1,
    "balanced_accuracy": balanced_accuracy,
    "accuracy": accuracy,
}
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Pairs:
    """Pairs of evaluators, by their places, and what either said where both decided: arrays (clusters, pairs)."""

    places: tuple[tuple[int, int], ...]
    one: Counts
    other: Counts

    @property
    def n(self) -> Ints:
        """Of each pair how many units both judged."""
        counts = self.one
        units: Ints = (counts.tp + counts.fp + counts.fn + counts.tn).sum(axis=0).astype(np.int64)
        return units


@dataclass(frozen=True)
class Difference:
    """A figure of one evaluator less that of the other; None where either has none on the units both judged.

    p: of the permutation test; p_holm: adjusted for all pairs of the table. better: the place of the one that was
    shown better, None where they were not told apart.
    """

    places: tuple[int, int]
    n: int
    difference: float | None
    interval: Interval | None
    p: float | None
    p_holm: float | None
    better: int | None


def pair_up(gold: Decisions, decisions: Sequence[Decisions], cluster: Ints, clusters: int) -> Pairs:
    """Count all pairs of the evaluators; gold, each one's decisions and `cluster` have a place for each unit."""
    places = tuple(combinations(range(len(decisions)), 2))
    sums: list[list[Floats]] = [[], []]
    called = [(gold >= 0) & (each == ERROR) for each in decisions]
    decided = [((gold == ERROR) | (gold == CORRECT)) & ((each == ERROR) | (each == CORRECT)) for each in decisions]
    for one, other in places:
        both = decided[one] & decided[other]
        of, true = cluster[both], gold[both] == ERROR
        for place, judge in enumerate((one, other)):
            kind = of * 4 + 2 * true + called[judge][both]
            sums[place].append(np.bincount(kind, minlength=4 * clusters).reshape(clusters, 4))
    return Pairs(places, *(_counts(each, clusters) for each in sums))


def _counts(sums: list[Floats], clusters: int) -> Counts:
    stacked = np.array(sums, dtype=np.float64).reshape(len(sums), clusters, 4)
    tn, fp, fn, tp = (stacked[:, :, place].T for place in range(4))
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)


def compare_pairs(pairs: Pairs, figure: str, resampling: Resampling) -> list[Difference]:
    """The difference of a figure (one of COMPARED) between both evaluators of each pair."""
    compute = COMPARED[figure]
    observed = compute(_total(pairs.one)) - compute(_total(pairs.other))
    drawn = _drawn(pairs, compute, resampling)
    values = permutation_test(pairs.one, pairs.other, compute, resampling.seed)
    adjusted = holm(values)
    units = pairs.n
    present = ((pairs.one.tp + pairs.one.fp + pairs.one.fn + pairs.one.tn) > 0).sum(axis=0)
    return [
        Difference(
            places=places,
            n=int(units[row]),
            difference=None if np.isnan(observed[row]) else float(observed[row]),
            interval=None if np.isnan(observed[row]) else interval(drawn[:, row], int(present[row])),
            p=None if np.isnan(values[row]) else float(values[row]),
            p_holm=None if np.isnan(adjusted[row]) else float(adjusted[row]),
            better=places[int(observed[row] < 0)] if adjusted[row] < SIGNIFICANT else None,
        )
        for row, places in enumerate(pairs.places)
    ]


def _total(counts: Counts) -> Counts:
    return Counts(*(each.sum(axis=0) for each in (counts.tp, counts.fp, counts.fn, counts.tn)))


def _drawn(pairs: Pairs, compute: Callable[[Counts], Floats], resampling: Resampling) -> Floats:
    """(resamples, pairs): the difference in each resample of clusters."""
    errors, correct = pairs.one.tp + pairs.one.fn, pairs.one.fp + pairs.one.tn
    fields = (pairs.one.tp, pairs.one.fp, pairs.other.tp, pairs.other.fp, errors, correct)
    columns, places = _distinct(np.concatenate(fields, axis=1))
    rows = np.flatnonzero(columns.any(axis=1))
    differences = np.empty((resampling.resamples, len(pairs.places)))
    start = 0
    for weights in resampling.weights():
        # Whole numbers far below 2²⁴: single precision is exact, and twice as quick.
        totals = (weights[:, rows].astype(np.float32) @ columns[rows].astype(np.float32))[:, places].astype(np.float64)
        tp_one, fp_one, tp_other, fp_other, error, right = np.split(totals, len(fields), axis=1)
        one = Counts(tp_one, fp_one, error - tp_one, right - fp_one)
        other = Counts(tp_other, fp_other, error - tp_other, right - fp_other)
        differences[start : start + len(weights)] = compute(one) - compute(other)
        start += len(weights)
    return differences


def _distinct(columns: Floats) -> tuple[Floats, Ints]:
    """The different columns, and the place of each among them: evaluators that judged everything share theirs."""
    found: dict[bytes, int] = {}
    places = np.array([found.setdefault(column.tobytes(), len(found)) for column in columns.T], dtype=np.int64)
    first = np.unique(places, return_index=True)[1]
    return columns[:, first], places
