"""Figures averaged over datasets that count alike, with intervals and ranks.

The datasets share no prompt, so what chance does in one is independent of what it does in another: variances over
resamples of whole prompts within each dataset add up, and answers are exchanged in each by draws of its own.

References
----------
docs/statistics.md, Several datasets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stats.arrays import Floats, Ints, known
from stats.bootstrap import Interval, Resampling
from stats.detection import FIXED, METRICS, ConfusionCounts, Decisions, Metric, all_alike, prompts_with, tally
from stats.intervals import FEWEST_CLUSTERS, exact_ends, variances_of, why_withheld
from stats.paired_tests import PERMUTATIONS, count_pairs, permuted_differences, with_runs
from stats.ranks import better_than, rank_of, rank_ranges
from stats.run_effects import RunPart, join_parts, no_part, run_part
from stats.step_down import step_down, studentise


@dataclass(frozen=True)
class DatasetPart:
    """What E evaluators decided in one dataset.

    Attributes
    ----------
    name : str
    gold, cluster : (N,)
    decisions : for each evaluator (N,) int8, or (R, N) of its R runs
        Undecided units are judged against gold (stats/pessimistic.py).
    resampling : Resampling
        Its seed is no other dataset's.
    """

    name: str
    gold: Decisions
    cluster: Ints
    decisions: Sequence[Decisions]
    resampling: Resampling


@dataclass(frozen=True)
class MacroAverage:
    """The mean of a figure over the datasets.

    Attributes
    ----------
    value : None where the figure is undefined in one of them
    interval : None too where it is withheld
    withheld : why a defined value has no interval, "" where it has one
    rank : 1 is best
    rank_set : first and last rank that it may have; with probability 95 % all are right at once
    """

    value: float | None
    interval: Interval | None
    withheld: str
    rank: int | None
    rank_set: tuple[int, int] | None


@dataclass(frozen=True)
class MacroDifference:
    """The average of one evaluator less that of another, by their places.

    Attributes
    ----------
    p_adjusted : for all pairs together
    simultaneous : interval that leaves out 0 just where `better` is known; None where no permutation differs
    better : place of the better one; None where the difference is not significant
    """

    places: tuple[int, int]
    difference: float | None
    p_adjusted: float | None
    simultaneous: Interval | None
    better: int | None


def average_over_datasets(
    parts: Sequence[DatasetPart], figure: str
) -> tuple[list[MacroAverage], list[MacroDifference]]:
    """The average of each evaluator, and the difference of every pair of them.

    Parameters
    ----------
    parts : one or more datasets, each with the decisions of the same evaluators in the same order
    figure : name of METRICS
    """
    metric = METRICS[figure]
    described = [_describe(part, metric) for part in parts]
    values = np.mean([each.values for each in described], axis=0)
    differences = _differences(parts, metric)
    better = better_than(len(values), ((each.places, each.better) for each in differences))
    defined = [value for value in values.tolist() if value == value]
    averages = []
    for place, ends in enumerate(rank_ranges(better)):
        value = known(values[place])
        withheld = "" if value is None else _withheld(parts, described, place)
        averages.append(
            MacroAverage(
                value=value,
                interval=None if value is None or withheld else _interval(described, place),
                withheld=withheld,
                rank=None if value is None else rank_of(value, defined),
                rank_set=None if value is None else ends,
            )
        )
    return averages, differences


@dataclass(frozen=True)
class _Described:
    """One dataset: figures (E,), their variances over resamples and of whole runs, on how many prompts they rest and
    what these have, and whether a figure is fixed."""

    values: Floats
    variance: Floats
    runs: RunPart
    prompts: Ints
    what: Sequence[str]
    fixed: Sequence[bool]


def _describe(part: DatasetPart, metric: Metric) -> _Described:
    clusters = len(part.resampling.strata)
    by_run = [_by_cluster(part, np.atleast_2d(each), clusters) for each in part.decisions]
    counted = np.stack([each.mean(axis=0) for each in by_run], axis=1)
    whole = ConfusionCounts(*np.moveaxis(counted.sum(axis=0), -1, 0))
    drawn = part.resampling.totals(counted.reshape(clusters, -1)).reshape(-1, len(by_run), 4)
    with_units = prompts_with(ConfusionCounts(*np.moveaxis(counted, -1, 0)))
    rests = [
        metric.rests_on({what: int(number[place]) for what, number in with_units.items()})
        for place in range(len(by_run))
    ]
    return _Described(
        values=metric.compute(whole),
        variance=variances_of(metric.compute_totals(drawn)),
        runs=join_parts([run_part(each[:, :, None], metric.compute_totals) for each in by_run] or [no_part(0)]),
        prompts=np.array([number for number, _ in rests], dtype=np.int64),
        what=[what for _, what in rests],
        fixed=(all_alike(whole) & metric.fixed).tolist(),
    )


def _by_cluster(part: DatasetPart, runs: Decisions, clusters: int) -> Floats:
    """Counts (R, C, 4) of each run in each prompt, in the order of ConfusionCounts."""
    counts = [tally(part.gold, run, part.cluster, clusters).counts for run in runs]
    return np.stack([np.stack([each.tp, each.fp, each.fn, each.tn], axis=1) for each in counts])


def _withheld(parts: Sequence[DatasetPart], described: Sequence[_Described], place: int) -> str:
    for part, each in zip(parts, described, strict=True):
        if each.prompts[place] < FEWEST_CLUSTERS:
            return why_withheld(int(each.prompts[place]), f"prompts with {each.what[place]} in {part.name}")
        if each.fixed[place]:
            return FIXED
    return ""


def _interval(described: Sequence[_Described], place: int) -> Interval:
    """As that of one dataset (stats/intervals.py), from the variance of the mean.

    With v_d the variance of the figure in dataset d of D, its runs included, and ν_d its degrees of freedom:

        v = Σ v_d / D²
        ν = v² / Σ ((v_d / D²)² / ν_d)          Satterthwaite
        c = D² / Σ (1 / c_d), rounded down: as many draws as the mean of D shares of c_d draws is worth, where v is 0
    """
    count = len(described)
    one = np.array([place])
    clusters = np.array([each.prompts[place] for each in described], dtype=np.float64)
    of_prompts = np.array([each.variance[place] for each in described])
    freedom = np.array(
        [each.runs.at(one).freedom_beside(each.variance[one], each.prompts[one] - 1.0)[0] for each in described]
    )
    shares = (of_prompts + np.array([each.runs.variance[place] for each in described])) / count**2
    variance, spread = shares.sum(), (shares**2 / freedom).sum()
    worth = np.array([int(count**2 / (1 / clusters).sum())])
    low, high = exact_ends(
        np.array([np.mean([each.values[place] for each in described])]),
        np.array([variance]),
        worth,
        np.array([variance**2 / spread]) if spread > 0 else worth - 1.0,
    )
    return Interval(float(low[0]), float(high[0]), 0)


def _differences(parts: Sequence[DatasetPart], metric: Metric) -> list[MacroDifference]:
    """Every pair, tested together: in each dataset both evaluators change places in whole prompts, and the differences
    of the datasets are averaged."""
    pairs = list(combinations(range(len(parts[0].decisions)), 2))
    if not pairs:
        return []
    observed, drawn, runs = np.zeros(len(pairs)), np.zeros((PERMUTATIONS, len(pairs))), no_part(len(pairs))
    for part in parts:
        clusters = len(part.resampling.strata)
        counted = count_pairs(part.gold, part.decisions, part.cluster, clusters, pairs, metric)
        totals = [metric.compute(_total(each)) for each in (counted.one, counted.other)]
        observed += (totals[0] - totals[1]) / len(parts)
        drawn += permuted_differences(counted.one, counted.other, metric.compute, part.resampling.seed) / len(parts)
        runs += RunPart(counted.runs.variance / len(parts) ** 2, counted.runs.spread / len(parts) ** 4)
    tested = studentise(observed, drawn)
    if runs.variance.any():
        tested = with_runs(tested, runs, parts[0].resampling.seed)
    decided = step_down(tested.observed, tested.draws)
    return [
        MacroDifference(
            places=places,
            difference=known(observed[row]),
            p_adjusted=known(decided.p[row]),
            simultaneous=_around(known(observed[row]), float(decided.critical[row] * tested.scale[row])),
            better=places[int(observed[row] < 0)] if decided.significant[row] else None,
        )
        for row, places in enumerate(pairs)
    ]


def _around(difference: float | None, half: float) -> Interval | None:
    if difference is None or not 0 < half < np.inf:
        return None
    return Interval(max(-1.0, difference - half), min(1.0, difference + half), 0)


def _total(counts: ConfusionCounts) -> ConfusionCounts:
    return ConfusionCounts(*(each.sum(axis=0) for each in (counts.tp, counts.fp, counts.fn, counts.tn)))
