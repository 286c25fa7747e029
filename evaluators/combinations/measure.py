"""Quality against price of every candidate, at one level and in one slice. Plain columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.conf import settings

from evaluators.combinations.candidates import Combination, Voice
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import decide, decisions_by_level, judged_in_relevant
from evaluators.comparison.study import ComparisonStudy
from evaluators.predictions.prices import THOUSAND, Bills
from evaluators.predictions.read import NO_PREDICTION, NOT_PARSED
from stats.arrays import Flags, Floats, Ints, known
from stats.bootstrap import Interval, Resampling
from stats.detection import (
    MISSING,
    ConfusionCounts,
    Decisions,
    DetectionFigures,
    Level,
    Tally,
    describe,
    f1,
    tally,
    undecided,
)
from stats.ensembles import total
from stats.gold_table import NOT_SUPPORTED, SUPPORTED, GoldTable
from stats.intervals import effective_intervals, why_withheld
from stats.paired_tests import compare_pairs
from stats.pessimistic import undecided_as_wrong, why_unranked
from stats.selection import affordable, best_under, grouped_folds, hold_out, pareto_front

BLOCK = 100  # candidates whose resampled counts are held at a time
CODE_OF = np.array([SUPPORTED, NO_PREDICTION, NOT_PARSED, NOT_SUPPORTED], dtype=np.int8)  # by decision


@dataclass(frozen=True)
class MeasuredCombination:
    """members: names, in the order in which they are asked. price: of a thousand units; None: not known.

    share: of the units, how many the last member is asked about. figures: as the report has them (detection.describe).
    f1, f1_interval: with what is left open counted as wrong; candidates are chosen by it. error_prompts: how many
    prompts with an error it rests on; withheld: why a known f1 has no interval. unranked: why it is never best.
    on_front: no other candidate beats it on price and F1.
    """

    rule: str
    members: tuple[str, ...]
    figures: DetectionFigures
    f1: float | None
    f1_interval: list[float] | None
    error_prompts: int
    withheld: str
    unranked: str | None
    price: float | None
    share: float
    on_front: bool


@dataclass(frozen=True)
class Best:
    """The candidate with the highest F1 within the limit, what is left open counted as wrong, by its place.

    held_out: its F1 on data that did not choose it (choosing.hold_out), None where it is undefined; folds: how many of
    the folds chose the same candidate. single: the best of the evaluators by themselves within the limit. gain: F1 over
    that one's, with its interval; None where the best is a single one.
    """

    place: int
    held_out: float | None
    folds: int
    single: int | None
    gain: float | None = None
    gain_interval: list[float] | None = None


@dataclass(frozen=True)
class CombinationsOutcome:
    """rows: in the order of the candidates. units: how many units the price is of. best: None where none can be."""

    rows: list[MeasuredCombination]
    units: int
    best: Best | None


def voice_of(judge: Judge, table: GoldTable) -> Voice:
    predictions = judge.predictions
    whole = np.full(len(table.segments.key), MISSING, dtype=np.int8)
    return Voice(
        judge.name,
        decide(predictions.units),
        whole if predictions.segments is None else decide(predictions.segments),
        predictions.scores,
    )


def measure(
    study: ComparisonStudy,
    level: Level,
    counted: Flags,
    voices: Sequence[Voice],
    candidates: Sequence[Combination],
    bills: Bills,
    limit: float | None,
) -> CombinationsOutcome:
    """counted: which units of the level count, those with gold in the slice. limit: the most that a thousand units may
    cost; None: no limit."""
    table, resampling = study.table, study.resampling
    gold = np.where(counted, level.gold, MISSING).astype(np.int8)
    clusters = len(resampling.strata)
    decisions = [decisions_at(table, level, each) for each in candidates]
    tallies = [tally(gold, each, level.cluster, clusters) for each in decisions]
    drawn = _drawn(tallies, resampling)
    figures = [
        describe(_whole(each), ConfusionCounts(*draws), each.counts) for each, draws in zip(tallies, drawn, strict=True)
    ]
    judged = judged_at(table, level, counted)
    prices = np.array([_price(each, bills, judged) for each in candidates])
    worst = [undecided(each).worst() for each in tallies]
    with_error = [int((each.tp + each.fn > 0).sum()) for each in worst]
    around = _intervals(worst, with_error, resampling)
    unranked = [why_unranked(each["coverage"], settings.LEAST_COVERAGE) for each in figures]
    values = [float(f1(_summed(each))) for each in worst]
    f1s = np.array([np.nan if why else value for value, why in zip(values, unranked, strict=True)])
    front = pareto_front(prices, f1s)
    rows = [
        MeasuredCombination(
            rule=candidate.rule,
            members=tuple(voices[place].name for place in candidate.members),
            figures=described,
            f1=known(value),
            f1_interval=ends.ends() if ends else None,
            error_prompts=prompts,
            withheld=why_withheld(prompts, "prompts with an error"),
            unranked=why,
            price=known(price),
            share=float(candidate.asked_at[-1][judged].mean()) if judged.any() else 0.0,
            on_front=on,
        )
        for candidate, described, value, ends, prompts, why, price, on in zip(
            candidates, figures, values, around, with_error, unranked, prices, front.tolist(), strict=True
        )
    ]
    alone = np.array([len(each.members) == 1 for each in candidates], dtype=np.bool_)
    best = _best(worst, prices, f1s, alone, limit, resampling)
    filled = [undecided_as_wrong(gold, each) for each in decisions]
    return CombinationsOutcome(rows, int(judged.sum()), _with_gain(best, filled, gold, level.cluster, resampling))


def decisions_at(table: GoldTable, level: Level, candidate: Combination) -> Decisions:
    codes = CODE_OF[candidate.units]
    return decisions_by_level(table, codes, CODE_OF[candidate.segments])[level.name]


def judged_at(table: GoldTable, level: Level, counted: Flags) -> Flags:
    """The units of the table that are judged for those of the level that count."""
    if level.name == "fact":
        judged = np.zeros(len(table.units.segment), dtype=np.bool_)
        judged[judged_in_relevant(table)] = counted
        return judged
    whole = table.response_of_unit if level.name == "response" else table.units.segment
    of_level: Flags = counted[whole]
    return of_level & judged_in_relevant(table)


def _price(candidate: Combination, bills: Bills, judged: Flags) -> float:
    """The price of a thousand units; nan where it is not known."""
    if not judged.any():
        return np.nan
    members = [
        (bills.answers[place], answered & judged)
        for place, answered in zip(candidate.members, candidate.asked_at, strict=True)
    ]
    return THOUSAND * total(members, bills.amounts) / float(judged.sum())


def _drawn(tallies: Sequence[Tally], resampling: Resampling) -> Floats:
    """(candidates, 4, resamples): each one's counts in the resamples."""
    drawn = []
    for start in range(0, len(tallies), BLOCK):
        block = tallies[start : start + BLOCK]
        columns = np.stack([count for each in block for count in _counts(each)], axis=1)
        drawn.append(resampling.totals(columns).T.reshape(len(block), 4, resampling.resamples))
    return np.concatenate(drawn) if drawn else np.empty((0, 4, resampling.resamples))


def _counts(counted: Tally) -> tuple[Floats, Floats, Floats, Floats]:
    return _fields(counted.counts)


def _fields(counts: ConfusionCounts) -> tuple[Floats, Floats, Floats, Floats]:
    return counts.tp, counts.fp, counts.fn, counts.tn


def _summed(counts: ConfusionCounts) -> ConfusionCounts:
    return ConfusionCounts(*(each.sum() for each in _fields(counts)))


def _intervals(
    worst: Sequence[ConfusionCounts], with_error: Sequence[int], resampling: Resampling
) -> list[Interval | None]:
    """The interval of each candidate's F1 over all units with gold, which has so many prompts with an error."""
    around: list[Interval | None] = []
    for start in range(0, len(worst), BLOCK):
        block = worst[start : start + BLOCK]
        drawn = resampling.totals(np.stack([count for each in block for count in _fields(each)], axis=1))
        of_draws = f1(ConfusionCounts(*(drawn[:, field::4] for field in range(4))))
        values = np.array([f1(_summed(each)) for each in block])
        around += effective_intervals(values, of_draws, np.array(with_error[start : start + BLOCK]))
    return around


def _whole(counted: Tally) -> Tally:
    return Tally(
        ConfusionCounts(*(count.sum() for count in _counts(counted))),
        counted.unparsed_error.sum(),
        counted.unparsed_correct.sum(),
        counted.missing_error.sum(),
        counted.missing_correct.sum(),
    )


def _best(
    worst: Sequence[ConfusionCounts],
    prices: Floats,
    f1s: Floats,
    alone: Flags,
    limit: float | None,
    resampling: Resampling,
) -> Best | None:
    place = best_under(prices, f1s, limit)
    if place is None:
        return None
    counts = ConfusionCounts(*(np.stack(column) for column in zip(*(_fields(each) for each in worst), strict=True)))
    held_out = hold_out(counts, grouped_folds(resampling.strata), affordable(prices, limit) & ~np.isnan(f1s))
    single = best_under(prices, np.where(alone, f1s, np.nan), limit)
    if held_out is None:
        return Best(place, None, 0, single)
    return Best(place, known(held_out.f1), int(held_out.chosen[place]), single)


def _with_gain(
    best: Best | None, decisions: Sequence[Decisions], gold: Decisions, cluster: Ints, resampling: Resampling
) -> Best | None:
    """The best with its gain over the best single evaluator."""
    if best is None or best.single is None or best.single == best.place:
        return best
    (gain,) = compare_pairs(gold, [decisions[best.place], decisions[best.single]], cluster, "f1", resampling)
    return replace(best, gain=gain.difference, gain_interval=gain.simultaneous.ends() if gain.simultaneous else None)
