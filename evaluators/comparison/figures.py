"""The figures of the comparison: evaluators in slices of a level, every pair of them, and their ranks.

Computed from a study, kept as one document of plain JSON values (None: undefined).
Ranks: docs/statistics.md, Intervals and tests.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, replace
from itertools import combinations, zip_longest
from typing import cast

import numpy as np
from django.conf import settings

from annotate.models import Dataset, GoldVersion
from evaluators.comparison.annotators import Annotator, describe_annotators, read_annotators
from evaluators.comparison.documents import (
    AnnotatorAgreement,
    ComparedEvaluator,
    ComparedPair,
    ComparedRank,
    ComparisonFigures,
    QuestionFields,
)
from evaluators.comparison.judges import (
    ALWAYS_NOT_SUPPORTED,
    RANDOM,
    TRIVIAL,
    Judge,
    decisions_of_runs,
    describe_repeats,
    rows_of_judge,
)
from evaluators.comparison.levels import decisions_by_level, gold_levels, parts_by_level
from evaluators.comparison.question import EVERY_PAIR, ComparisonQuestion, check_question
from evaluators.comparison.slices import ALL, NO_SLICE, Slicing, slicings
from evaluators.comparison.study import ComparisonStudy, study_of
from stats.arrays import Flags, Ints, known
from stats.baselines import chance_of_error, expected_counts
from stats.detection import (
    HEADLINES,
    METRICS,
    MISSING,
    ConfusionCounts,
    Decisions,
    DetectionRow,
    Level,
    figures,
)
from stats.gold_table import GoldTable
from stats.paired_tests import (
    EqualAccuracy,
    PairedDifference,
    PairFamily,
    Places,
    both_judged,
    compare_pairs,
    equal_accuracies,
)
from stats.pessimistic import describe_with_pessimistic, undecided_as_wrong
from stats.ranks import better_than, rank_of, rank_ranges
from stats.run_noise import RunNoise, describe_runs

# The figures to expect of a random judge, by slice.
ExpectedFigures = dict[str, dict[str, float | None]]

BASELINE_APART = "a trivial baseline is not ranked"
NO_FIGURE = "the figure is undefined"

# Titles by name, the headlines first.
FIGURE_TITLES = {name: METRICS[name].title for name in dict.fromkeys((*HEADLINES, *METRICS))}
STEPS = ("reading gold and predictions", "comparing with gold", "comparing pairs", "comparing people")


def compare(
    dataset: Dataset,
    version: GoldVersion | None,
    question: ComparisonQuestion,
    note: Callable[[str], None] = lambda step: None,
) -> ComparisonFigures:
    """Compute the figures in this process. `note` is called with each step as it begins.

    DataError: an evaluator, level, slicing, slice or figure that is not there.
    """
    note(STEPS[0])
    study = study_of(dataset, version, question.evaluators)
    check_question(question, study.table)
    return _describe(study, read_annotators(dataset), question, note)


def _describe(
    study: ComparisonStudy, annotators: Sequence[Annotator], question: ComparisonQuestion, note: Callable[[str], None]
) -> ComparisonFigures:
    slicing = slicings(study.table)[question.slicing]
    level = level_in(study.table, question, slicing)
    judges = [judge for judge in study.judges if _is_asked_for(judge, question.evaluators)]
    decisions = [decisions_of_runs(study.table, judge)[level.name] for judge in judges]
    note(STEPS[1])
    headlines = dict.fromkeys((*HEADLINES, question.figure))
    rows_of_judges = describe_with_pessimistic(level, decisions, study.resampling, headlines, settings.LEAST_COVERAGE)
    described = [rows_of_judge(judge, rows) for judge, rows in zip(judges, rows_of_judges, strict=True)]
    expected = _expected(study.table, level)
    note(STEPS[2])
    values = [None if row["unranked"] else row["pessimistic"][question.figure] for row, *_ in described]
    ranked = [place for place, judge in enumerate(judges) if judge.method not in TRIVIAL and values[place] is not None]
    filled = [undecided_as_wrong(level.gold, each) for each in decisions]
    everything = next(place for place, judge in enumerate(judges) if judge.method == ALWAYS_NOT_SUPPORTED)
    differences = compare_pairs(
        level.gold,
        filled,
        level.cluster,
        question.figure,
        study.resampling,
        families=_families(ranked, values, everything, question.family),
        ranked=ranked,
    )
    ranks = _describe_ranks(judges, values, ranked, described, differences)
    places = [each.places for each in differences]
    of_responses = level.name == "response"
    alike = equal_accuracies(level.gold, filled, level.cluster, study.resampling.seed, places) if of_responses else []
    note(STEPS[3])
    return {
        "dataset": study.dataset.name,
        "scheme": study.dataset.scheme,
        "gold_version": study.version.name if study.version else None,
        "question": cast(QuestionFields, asdict(question)),
        "seed": study.resampling.seed,
        "resamples": study.resampling.resamples,
        "level": level.name,
        "slices": [name for name, held in zip(level.slices, _held(level), strict=True) if name and held],
        "only_recall": slicing.only_recall,
        "evaluators": [
            _row(judge, results, level, expected, rank, _noise(level, of_judge, question.figure, study))
            for judge, results, rank, of_judge in zip(judges, described, ranks, filled, strict=True)
        ],
        "human": _human(study, annotators, level, question, slicing),
        "pairs": [
            _describe_pair(each, judges, decisions, level, question.figure, accuracy)
            for each, accuracy in zip_longest(differences, alike)
        ],
    }


def _is_asked_for(judge: Judge, names: Collection[str] | None) -> bool:
    return names is None or judge.method in TRIVIAL or judge.name in names


def decisions_of(table: GoldTable, judge: Judge, level: str) -> Decisions:
    return decisions_by_level(table, judge.predictions.units, judge.predictions.segments)[level]


def level_in(table: GoldTable, question: ComparisonQuestion, slicing: Slicing) -> Level:
    """The level in the slicing's slices. Units that do not count have no gold here; those in none of the slices stand
    in a last one without a name."""
    level = next(level for level in gold_levels(table) if level.name == question.level)
    numbers = slicing.of[level.name]
    slices: Ints = np.where(numbers == NO_SLICE, len(slicing.names), numbers)
    gold: Decisions = np.where(_counting(numbers, question, slicing), level.gold, MISSING).astype(np.int8)
    return replace(level, gold=gold, slice=slices, slices=(*slicing.names, ""), slice_name=slicing.name)


def _counting(numbers: Ints, question: ComparisonQuestion, slicing: Slicing) -> Flags:
    if not question.slices:
        return np.ones(len(numbers), dtype=np.bool_)
    return np.isin(numbers, [slicing.names.index(name) for name in question.slices])


def _held(level: Level) -> Ints:
    return np.bincount(level.slice[level.gold != MISSING], minlength=len(level.slices))


def _row(
    judge: Judge,
    results: list[DetectionRow],
    level: Level,
    expected: ExpectedFigures,
    rank: ComparedRank,
    noise: RunNoise | None,
) -> ComparedEvaluator:
    return {
        "evaluator": judge.name,
        "run": judge.run.pk if judge.run else None,
        **describe_repeats(judge),
        "method": judge.method,
        "model": judge.model,
        "baseline": judge.method in TRIVIAL,
        "results": {
            name: {**result, "expected": expected[name]} if judge.method == RANDOM else result
            for name, result in zip((ALL, *level.slices), results, strict=True)
            if name and (result["n"] or name == ALL)
        },
        "run_noise": noise,
        **rank,
    }


def _noise(level: Level, decisions: Decisions, figure: str, study: ComparisonStudy) -> RunNoise | None:
    """Of several runs, undecided units counted as wrong; None of one."""
    return describe_runs(level, decisions, figure, study.resampling) if decisions.ndim > 1 else None


def _expected(table: GoldTable, level: Level) -> ExpectedFigures:
    """The figures to expect of a random judge, by slice."""
    chance = chance_of_error(parts_by_level(table)[level.name])
    counts = expected_counts(level.gold, chance, level.slice, len(level.slices))
    fields = (counts.tp, counts.fp, counts.fn, counts.tn)
    by_slice = {
        name: figures(ConfusionCounts(*(field[place] for field in fields))) for place, name in enumerate(level.slices)
    }
    return {**by_slice, ALL: figures(ConfusionCounts(*(field.sum() for field in fields)))}


def _human(
    study: ComparisonStudy,
    annotators: Sequence[Annotator],
    level: Level,
    question: ComparisonQuestion,
    slicing: Slicing,
) -> dict[str, AnnotatorAgreement]:
    """People are compared with each other, not with gold: units without gold count as well."""
    numbers = slicing.of[level.name]
    counting = _counting(numbers, question, slicing)

    def describe(group: Ints, groups: int) -> list[AnnotatorAgreement]:
        return describe_annotators(study.table, annotators, level.name, group, groups, level.cluster, study.resampling)

    (whole,) = describe(np.where(counting, 0, NO_SLICE), 1)
    parts = describe(np.where(counting, numbers, NO_SLICE), len(slicing.names))
    return {ALL: whole, **dict(zip(slicing.names, parts, strict=True))}


def _families(ranked: Sequence[int], values: Sequence[float | None], everything: int, family: str) -> list[PairFamily]:
    """The evaluators that are ranked, among each other and each against calling everything an error."""
    if not ranked:
        return []
    baseline = PairFamily([_pair(everything, place) for place in ranked])
    if family == EVERY_PAIR:
        return [PairFamily(list(combinations(ranked, 2))), baseline]
    leader = max(ranked, key=lambda place: (values[place], -place))
    return [PairFamily([_pair(leader, place) for place in ranked if place != leader], leader), baseline]


def _pair(one: int, other: int) -> Places:
    return min(one, other), max(one, other)


def _describe_ranks(
    judges: Sequence[Judge],
    values: Sequence[float | None],
    ranked: Sequence[int],
    described: Sequence[list[DetectionRow]],
    differences: Sequence[PairedDifference],
) -> list[ComparedRank]:
    """Ranks among the ranked evaluators, by the figures that the pairs are tested on."""
    ranges, sets = (
        dict(zip(ranked, rank_ranges(_better(which, differences, len(judges))[np.ix_(ranked, ranked)]), strict=True))
        for which in ("better", "better_of_all")
    )
    known = {place: value for place in ranked if (value := values[place]) is not None}
    return [
        {
            "rank": rank_of(known[place], known.values()),
            "range": list(ranges[place]),
            "rank_set": list(sets[place]),
            "unranked": None,
        }
        if place in known
        else {"rank": None, "range": None, "rank_set": None, "unranked": _why_unranked(judge, described[place][0])}
        for place, judge in enumerate(judges)
    ]


def _better(which: str, differences: Sequence[PairedDifference], judges: int) -> Flags:
    """(judges, judges): the first is significantly better than the second. which: a field of PairedDifference."""
    return better_than(judges, ((each.places, getattr(each, which)) for each in differences))


def _why_unranked(judge: Judge, row: DetectionRow) -> str:
    return BASELINE_APART if judge.method in TRIVIAL else row["unranked"] or NO_FIGURE


def _describe_pair(
    each: PairedDifference,
    judges: Sequence[Judge],
    decisions: Sequence[Decisions],
    level: Level,
    figure: str,
    alike: EqualAccuracy | None,
) -> ComparedPair:
    one, other = each.places
    counts = both_judged(level.gold, decisions[one], decisions[other])
    values = [known(METRICS[figure].compute(of)) for of in counts]
    return {
        "one": judges[one].name,
        "other": judges[other].name,
        "n": each.n,
        "difference": each.difference,
        "interval": each.interval.ends() if each.interval else None,
        "p": each.p,
        "p_holm": each.p_holm,
        "p_adjusted": each.p_adjusted,
        "simultaneous_interval": each.simultaneous.ends() if each.simultaneous else None,
        "better": None if each.better is None else judges[each.better].name,
        "n_both_judged": int(counts[0].tp + counts[0].fp + counts[0].fn + counts[0].tn),
        "difference_both_judged": None if values[0] is None or values[1] is None else values[0] - values[1],
        "p_accuracy": alike.p if alike else None,
        "mcnemar": alike.p if alike and alike.mcnemar else None,
        "p_runs": each.runs.p if each.runs else None,
        "p_runs_floor": each.runs.floor if each.runs else None,
    }
