"""Differences between two evaluators on the same units, and whether they are more than chance.

All pairs share the draws, so a pair has the same p wherever it is tested.

References
----------
docs/statistics.md, Intervals and tests.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from math import lcm

import numpy as np
from numpy.typing import NDArray

from stats.arrays import Flags, Floats, Ints, known
from stats.bootstrap import ROUNDING, Interval, Resampling
from stats.detection import CORRECT, ERROR, METRICS, ConfusionCounts, Decisions, Metric, tally
from stats.distributions import chi_square_quantile
from stats.intervals import difference_intervals
from stats.run_effects import RunPart, RunSetTest, join_parts, no_part, permute_run_sets, run_part
from stats.step_down import StepDown, Studentised, joined, step_down, studentise

Places = tuple[int, int]
# As many pairs at a time are held, by cluster and by permutation, as fit in this.
HELD_BYTES = 128 * 2**20


@dataclass(frozen=True)
class PairedDifference:
    """A figure of one evaluator less that of another, by their places.

    Attributes
    ----------
    n : int
        Units that both judged.
    difference : None where either evaluator has no figure on these units
    interval : of this pair alone; None too where it rests on too few prompts, and where no resample differs
    p : of the permutation test of this pair alone
    p_holm, p_adjusted : adjusted for all pairs of the family by Holm, and by the step-down over shared permutations;
        None for a pair of no family
    simultaneous : interval from the critical value of the step-down, within −1 and 1: it leaves out 0 just where
        `better` is known; None where `interval` is
    better : place of the better one where p_adjusted is below SIGNIFICANT
    better_of_all : the same where every pair of the ranked evaluators is decided together, for sets of ranks
    runs : the test that permutes the runs of both; None unless both have several
    """

    places: Places
    n: int
    difference: float | None
    interval: Interval | None
    p: float | None
    p_holm: float | None = None
    p_adjusted: float | None = None
    simultaneous: Interval | None = None
    better: int | None = None
    better_of_all: int | None = None
    runs: RunSetTest | None = None


@dataclass(frozen=True)
class PairFamily:
    """Pairs that are decided together: the chance that any of them is called better wrongly is at most SIGNIFICANT.

    Attributes
    ----------
    pairs : places of evaluators
    leader : place of an evaluator that was chosen because its figure is the highest; None where none was. All pairs are
        with the leader then, and the pairs among its rivals count as long as both remain.
    """

    pairs: Sequence[Places]
    leader: int | None = None


def compare_pairs(
    gold: Decisions,
    decisions: Sequence[Decisions],
    cluster: Ints,
    figure: str,
    resampling: Resampling,
    pairs: Sequence[Places] | None = None,
    families: Sequence[PairFamily] | None = None,
    ranked: Sequence[int] = (),
) -> list[PairedDifference]:
    """The difference of a figure between the two evaluators of each pair.

    Of an evaluator with several runs the counts are added up, all its runs change places together, and the part of the
    runs in the variance widens the interval and the permuted differences (docs/statistics.md, Repeated runs).

    Parameters
    ----------
    gold, cluster : (N,)
    decisions : (N,) int8 for each evaluator, or (R, N) of its R runs
    figure : name of METRICS
    resampling : Resampling
    pairs : places of evaluators; None for every pair
    families : of some of the pairs, a pair in at most one; None for one family of all pairs
    ranked : places of the evaluators whose every pair is decided together besides
    """
    pairs = list(combinations(range(len(decisions)), 2)) if pairs is None else pairs
    families = [PairFamily(pairs)] if families is None else families
    compared, tested = _permute_pairs(gold, decisions, cluster, figure, resampling, pairs)
    for family in families:
        compared = _settle(compared, tested, pairs, family)
    return _decide_all(compared, tested, set(ranked))


def _permute_pairs(
    gold: Decisions,
    decisions: Sequence[Decisions],
    cluster: Ints,
    figure: str,
    resampling: Resampling,
    pairs: Sequence[Places],
) -> tuple[list[PairedDifference], Studentised]:
    """The pairs, each alone, and their differences on one scale with all permutations."""
    metric = METRICS[figure]
    together = max(1, HELD_BYTES // (8 * (8 * len(resampling.strata) + PERMUTATIONS + resampling.resamples)))
    compared: list[PairedDifference] = []
    observed, scale, drawn = np.zeros(len(pairs)), np.zeros(len(pairs)), np.zeros((PERMUTATIONS, len(pairs)))
    for start in range(0, len(pairs), together):
        some, columns = pairs[start : start + together], slice(start, start + together)
        counted = count_pairs(gold, decisions, cluster, len(resampling.strata), some, metric)
        permutations = permuted_differences(counted.one, counted.other, metric.compute, resampling.seed)
        differences = metric.compute(_total(counted.one)) - metric.compute(_total(counted.other))
        studentised = studentise(differences, permutations)
        p = p_of(differences, permutations)
        if counted.runs.variance.any():
            studentised = with_runs(studentised, counted.runs, resampling.seed)
            p = np.where(counted.runs.variance > 0, p_of(studentised.observed, studentised.draws), p)
        compared += _compare(some, counted, differences, metric, resampling, p)
        observed[columns], scale[columns] = studentised.observed, studentised.scale
        drawn[:, columns] = studentised.draws
    return compared, Studentised(observed, drawn, scale)


def _settle(
    compared: Sequence[PairedDifference], tested: Studentised, pairs: Sequence[Places], family: PairFamily
) -> list[PairedDifference]:
    """The differences, those of the family with their adjusted p, simultaneous interval and better side."""
    column = {places: place for place, places in enumerate(pairs)}
    own = [column[places] for places in family.pairs]
    observed, draws = tested.observed[own], tested.draws[:, own]
    if family.leader is not None:
        rivals = [sum(places) - family.leader for places in family.pairs]
        among = list(combinations(range(len(rivals)), 2))
        columns = [column[_in_order(rivals[one], rivals[other], column)] for one, other in among]
        draws = joined(observed, draws, among, tested.draws[:, columns])
    decided = step_down(observed, draws)
    p_holm = holm(np.array([np.nan if (p := compared[place].p) is None else p for place in own]))
    settled = list(compared)
    for row, place in enumerate(own):
        settled[place] = _settled(compared[place], decided, row, known(p_holm[row]), float(tested.scale[place]))
    return settled


def _decide_all(compared: Sequence[PairedDifference], tested: Studentised, ranked: Set[int]) -> list[PairedDifference]:
    """The differences, those between ranked evaluators with the better one of all pairs decided together."""
    own = [place for place, each in enumerate(compared) if set(each.places) <= ranked]
    decided = step_down(tested.observed[own], tested.draws[:, own]) if own else None
    settled = list(compared)
    for place in [own[row] for row in np.flatnonzero(decided.significant)] if decided else ():
        each = settled[place]
        settled[place] = replace(each, better_of_all=each.places[int((each.difference or 0.0) < 0)])
    return settled


def _in_order(one: int, other: int, column: dict[Places, int]) -> Places:
    return (one, other) if (one, other) in column else (other, one)


def _settled(
    compared: PairedDifference, decided: StepDown, row: int, p_holm: float | None, scale: float
) -> PairedDifference:
    if compared.difference is None:
        return compared
    half = float(decided.critical[row]) * scale
    around = Interval(max(-1.0, compared.difference - half), min(1.0, compared.difference + half), 0)
    return replace(
        compared,
        p_holm=p_holm,
        p_adjusted=known(decided.p[row]),
        simultaneous=around if compared.interval and 0 < half < np.inf else None,
        better=compared.places[int(compared.difference < 0)] if decided.significant[row] else None,
    )


@dataclass(frozen=True)
class PairCounts:
    """Decisions of both evaluators of P pairs, on the units that both decided in every run.

    Attributes
    ----------
    one, other : counts (clusters, P)
        Of several runs they are added up, times a factor so that both evaluators count alike.
    n : (P,) int
        These units.
    runs : the part of the runs in the variance of each difference
    totals : for each pair the counts (R, 4) and (S, 4) of each run of both
    """

    one: ConfusionCounts
    other: ConfusionCounts
    n: Ints
    runs: RunPart
    totals: Sequence[tuple[Floats, Floats]]


def count_pairs(
    gold: Decisions,
    decisions: Sequence[Decisions],
    cluster: Ints,
    clusters: int,
    pairs: Sequence[Places],
    metric: Metric,
) -> PairCounts:
    runs = [np.atleast_2d(each) for each in decisions]
    kinds = [cluster * 4 + 2 * (gold == ERROR) + (each == ERROR) for each in runs]
    with_gold = (gold == ERROR) | (gold == CORRECT)
    decided = [with_gold & ((each == ERROR) | (each == CORRECT)).all(axis=0) for each in runs]
    sums = np.empty((2, 4, clusters, len(pairs)))
    n, parts, totals = np.zeros(len(pairs), dtype=np.int64), [], []
    for column, pair in enumerate(pairs):
        both = decided[pair[0]] & decided[pair[1]]
        n[column] = both.sum()
        whole = lcm(*(len(runs[judge]) for judge in pair))
        by_run = []
        for place, judge in enumerate(pair):
            counted = np.array([np.bincount(each[both], minlength=4 * clusters) for each in kinds[judge]])
            sums[place, :, :, column] = (counted.sum(axis=0) * (whole // len(counted))).reshape(clusters, 4).T
            # In the order of ConfusionCounts.
            by_run.append(counted.reshape(-1, clusters, 4)[:, :, [3, 1, 2, 0]].astype(np.float64))
        one_part, other_part = (run_part(each[:, :, None], metric.compute_totals) for each in by_run)
        parts.append(one_part + other_part)
        totals.append((by_run[0].sum(axis=1), by_run[1].sum(axis=1)))
    one, other = (ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=tn) for tn, fp, fn, tp in sums)
    return PairCounts(one, other, n, join_parts(parts) if parts else no_part(0), totals)


def with_runs(studentised: Studentised, runs: RunPart, seed: int) -> Studentised:
    """The part of the runs added to the scale. The draws have the tails of Student's t of the scale's freedom, as the
    part of a few runs is not known well."""
    squares = studentised.scale**2
    scale = np.sqrt(squares + runs.variance)
    freedom = runs.freedom_beside(squares, np.full(len(squares), np.inf))
    of_runs = np.flatnonzero((runs.variance > 0) & (studentised.scale > 0))
    observed, draws = studentised.observed.copy(), studentised.draws.copy()
    observed[of_runs] *= (studentised.scale / np.where(scale > 0, scale, 1.0))[of_runs]
    # The same chance for all pairs, so that a pair has the same p wherever it is tested.
    chance = np.random.default_rng([seed, 2]).random((len(draws), 1))
    draws[:, of_runs] *= np.sqrt(freedom[of_runs] / chi_square_quantile(chance, freedom[of_runs]))
    return Studentised(observed, draws, np.where(studentised.scale > 0, scale, 0.0))


def _compare(
    pairs: Sequence[Places],
    counted: PairCounts,
    observed: Floats,
    metric: Metric,
    resampling: Resampling,
    p: Floats,
) -> list[PairedDifference]:
    """The difference of each pair alone."""
    one, other = counted.one, counted.other
    prompts = np.minimum(metric.clusters(one), metric.clusters(other))
    around = difference_intervals(observed, _drawn(one, other, metric.compute, resampling), prompts, counted.runs)
    return [
        PairedDifference(
            places=places,
            n=int(counted.n[row]),
            difference=known(observed[row]),
            interval=around[row],
            p=known(p[row]),
            runs=permute_run_sets(*counted.totals[row], metric.compute_totals, resampling.seed),
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


@dataclass(frozen=True)
class EqualAccuracy:
    """The test whether two evaluators are right equally often; mcnemar: it is McNemar's exact one."""

    p: float
    mcnemar: bool


def equal_accuracies(
    gold: Decisions, decisions: Sequence[Decisions], cluster: Ints, seed: int, pairs: Sequence[Places]
) -> list[EqualAccuracy]:
    """Two-sided p of equal accuracy of each pair, over the units with gold.

    McNemar's exact test where no two units share a cluster and each evaluator has one run: it takes units as
    independent. Else a permutation test that exchanges both evaluators' answers in whole clusters.

    Parameters
    ----------
    gold, cluster : (N,)
    decisions : (N,) int8 for each evaluator, or (R, N) of its R runs
        An undecided unit is wrong. Of several runs the mean counts.
    seed : int
        Of the permutations.
    pairs : places of evaluators
    """
    counted = (gold == ERROR) | (gold == CORRECT)
    if not counted.any():
        return []
    right = [np.atleast_2d(each)[:, counted] == gold[counted] for each in decisions]
    if np.bincount(cluster[counted]).max() == 1 and all(len(runs) == 1 for runs in right):
        return [EqualAccuracy(_mcnemar(right[one][0], right[other][0]), True) for one, other in pairs]
    clusters = int(cluster.max()) + 1
    means = [runs.mean(axis=0) for runs in right]
    sums = np.stack([np.bincount(cluster[counted], weights=each, minlength=clusters) for each in means], axis=1)
    turned = np.concatenate([(1 - 2 * swaps) @ sums for swaps in _swaps(clusters, PERMUTATIONS, seed)])
    whole = sums.sum(axis=0)
    return [
        EqualAccuracy(
            float(p_of(whole[[one]] - whole[[other]], turned[:, [one]] - turned[:, [other]])[0]), mcnemar=False
        )
        for one, other in pairs
    ]


def _mcnemar(one: Flags, other: Flags) -> float:
    return mcnemar(int((one & ~other).sum()), int((other & ~one).sum()))


def both_judged(gold: Decisions, one: Decisions, other: Decisions) -> tuple[ConfusionCounts, ConfusionCounts]:
    """The counts of both evaluators over the units with gold that both decided; of several runs (R, N) the means over
    the units that all of them decided."""
    runs = [np.atleast_2d(each) for each in (gold, one, other)]
    both = np.logical_and.reduce([((each == ERROR) | (each == CORRECT)).all(axis=0) for each in runs])
    group = np.zeros(int(both.sum()), dtype=np.int64)
    first, second = (tally(gold[both], each[..., both], group, 1).counts for each in (one, other))
    return _scalars(first), _scalars(second)


def _scalars(counts: ConfusionCounts) -> ConfusionCounts:
    return ConfusionCounts(*(each[0] for each in (counts.tp, counts.fp, counts.fn, counts.tn)))


PERMUTATIONS = 5_000
BLOCK = 500


def permuted_differences(
    one: ConfusionCounts,
    other: ConfusionCounts,
    compute: Callable[[ConfusionCounts], Floats],
    seed: int,
    permutations: int = PERMUTATIONS,
) -> Floats:
    """The difference of a figure after exchanging both evaluators' answers in whole clusters.

    In each cluster the two evaluators change places or do not, the same clusters for all pairs.

    Parameters
    ----------
    one, other : ConfusionCounts of arrays (C, P)
        Counts of both evaluators of P pairs in each cluster, on the same units.
    compute : function of ConfusionCounts to an array
        The figure.
    seed : int
    permutations : int

    Returns
    -------
    (permutations, P); nan where the figure is undefined.

    References
    ----------
    docs/statistics.md, Intervals and tests.
    """
    errors, correct = (one.tp + one.fn).sum(axis=0), (one.fp + one.tn).sum(axis=0)
    totals = [each.sum(axis=0) for each in (one.tp, one.fp, other.tp, other.fp)]
    rows = np.flatnonzero(((one.tp != other.tp) | (one.fp != other.fp)).any(axis=1))
    moves = [(theirs - ours)[rows].astype(np.float32) for ours, theirs in ((one.tp, other.tp), (one.fp, other.fp))]
    drawn = np.empty((permutations, one.tp.shape[1]))
    start = 0
    for swaps in _swaps(len(one.tp), permutations, seed):
        moved_tp, moved_fp = ((swaps[:, rows] @ each).astype(np.float64) for each in moves)
        tp, fp = totals[0] + moved_tp, totals[1] + moved_fp
        tp_other, fp_other = totals[2] - moved_tp, totals[3] - moved_fp
        drawn[start : start + len(swaps)] = compute(ConfusionCounts(tp, fp, errors - tp, correct - fp)) - compute(
            ConfusionCounts(tp_other, fp_other, errors - tp_other, correct - fp_other)
        )
        start += len(swaps)
    return drawn


def p_of(observed: Floats, permutations: Floats) -> Floats:
    """Two-sided p of each difference: (1 + permutations as extreme) / (1 + permutations).

    A permutation without the figure counts as extreme: that can only make p larger.

    Parameters
    ----------
    observed : (P,)
    permutations : (B, P)

    Returns
    -------
    (P,); nan where the difference is undefined.
    """
    extreme = (~(np.abs(permutations) < np.abs(observed) - ROUNDING)).sum(axis=0)
    return np.where(np.isnan(observed), np.nan, (extreme + 1) / (len(permutations) + 1))


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
