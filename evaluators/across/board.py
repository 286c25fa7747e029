"""Evaluators over several datasets: their figure in each, and its average over all of them.

An evaluator without a ranked figure in one of the datasets has no average: a mean over fewer datasets is another
figure. See docs/statistics.md, Several datasets.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np
from django.conf import settings

from annotate.models import Dataset
from annotate.statistics.caption import intervals_of
from core.caching import cached
from core.errors import DataError
from core.tables import Cell, PrintedTable, Table, with_ends
from evaluators.comparison.caption import UNDECIDED
from evaluators.comparison.figures import BASELINE_APART
from evaluators.comparison.judges import TRIVIAL, Judge, decisions_of_runs, rows_of_judge
from evaluators.comparison.levels import gold_levels, level_title
from evaluators.comparison.question import key_of, question_of
from evaluators.comparison.ready import AT_ONCE, count_predictions
from evaluators.comparison.study import study_of
from stats.bootstrap import RESAMPLES, SEED, Resampling
from stats.detection import METRICS, Decisions, DetectionRow, Level
from stats.macro_average import DatasetPart, MacroAverage, MacroDifference, average_over_datasets
from stats.paired_tests import PERMUTATIONS
from stats.pessimistic import describe_with_pessimistic, undecided_as_wrong

# Precision and recall name no best evaluator (docs/statistics.md, Ranks).
FIGURES = ("f1", "macro_f1", "balanced_accuracy")


class AcrossDataset(TypedDict):
    """n: units with gold at the level of labels. seed: of the permutations."""

    dataset: str
    level: str
    gold_revision: int
    n: int
    seed: int


class AcrossFigure(TypedDict):
    """An evaluator in one dataset, undecided units counted as wrong. unranked: why it does not count in the average."""

    value: float | None
    interval: list[float] | None
    why: str
    withheld: str
    coverage: float | None
    unranked: str | None


class AcrossEvaluator(TypedDict):
    """figures: in the order of the datasets, None where it has no finished run. datasets: in how many it counts.
    average and what follows: None unless it counts in all. unranked: why it has no rank."""

    evaluator: str
    method: str
    model: str
    baseline: bool
    figures: list[AcrossFigure | None]
    datasets: int
    average: float | None
    interval: list[float] | None
    withheld: str
    rank: int | None
    rank_set: list[int] | None
    unranked: str | None


class AcrossPair(TypedDict):
    one: str
    other: str
    difference: float | None
    simultaneous_interval: list[float] | None
    p_adjusted: float | None
    better: str | None


class AcrossDocument(TypedDict):
    """The document of `compare_datasets` (docs/commands.md)."""

    figure: str
    resamples: int
    permutations: int
    datasets: list[AcrossDataset]
    evaluators: list[AcrossEvaluator]
    pairs: list[AcrossPair]


def across_of(datasets: Sequence[Dataset], figure: str) -> AcrossDocument:
    """The document while a page waits, kept as long as nothing of it changes. DataError: too much to compute so."""
    questions = [question_of(dataset, figure=figure) for dataset in datasets]
    predictions = sum(count_predictions(dataset, None) for dataset in datasets)
    if predictions > AT_ONCE:
        raise DataError(
            f"These datasets have up to {predictions:,} predictions; {AT_ONCE:,} are compared while a page waits. "
            "Choose fewer datasets, or use the command compare_datasets."
        )
    made_of = [key_of(dataset, None, question) for dataset, question in zip(datasets, questions, strict=True)]
    key = f"across-{hashlib.sha256(repr([figure, *made_of]).encode()).hexdigest()}"
    return cached(key, lambda: compare_datasets(datasets, figure))


@dataclass(frozen=True)
class _Read:
    """One dataset: its level of labels without slices, and by name each judge with its row of figures and its
    decisions, undecided ones as wrong."""

    dataset: Dataset
    level: Level
    judges: dict[str, Judge]
    rows: dict[str, DetectionRow]
    filled: dict[str, Decisions]
    strata: Resampling


def compare_datasets(datasets: Sequence[Dataset], figure: str) -> AcrossDocument:
    """DataError: there is no such figure, or no dataset."""
    if figure not in FIGURES:
        raise DataError(f"There is no figure {figure!r} over several datasets, only {', '.join(FIGURES)}.")
    if not datasets:
        raise DataError("No dataset is named.")
    read = [_read(dataset, figure) for dataset in sorted(datasets, key=lambda each: each.name)]
    names = sorted({name for each in read for name in each.judges})
    counting = {name: [_counts(each, name, figure) for each in read] for name in names}
    everywhere = [name for name in names if all(counting[name])]
    ranked = [name for name in everywhere if not _is_trivial(read, name)]
    averages, differences = _average(read, ranked, figure)
    baselines = [name for name in everywhere if name not in ranked]
    of = dict(zip([*ranked, *baselines], [*averages, *_average(read, baselines, figure)[0]], strict=True))
    entries = [_entry(read, name, figure, counting[name], of.get(name)) for name in names]
    return {
        "figure": figure,
        "resamples": RESAMPLES,
        "permutations": PERMUTATIONS,
        "datasets": [_describe_dataset(each, place) for place, each in enumerate(read)],
        "evaluators": sorted(entries, key=_order),
        "pairs": [_pair(each, ranked) for each in differences],
    }


def _read(dataset: Dataset, figure: str) -> _Read:
    study = study_of(dataset, None)
    level = gold_levels(study.table)[0]
    level = replace(level, slice=np.zeros_like(level.slice), slices=("",))
    names = [judge.name for judge in study.judges]
    decisions = [decisions_of_runs(study.table, judge)[level.name] for judge in study.judges]
    described = describe_with_pessimistic(level, decisions, study.resampling, (figure,), settings.LEAST_COVERAGE)
    rows = [rows_of_judge(judge, rows)[0] for judge, rows in zip(study.judges, described, strict=True)]
    return _Read(
        dataset=dataset,
        level=level,
        judges=dict(zip(names, study.judges, strict=True)),
        rows=dict(zip(names, rows, strict=True)),
        filled={name: undecided_as_wrong(level.gold, each) for name, each in zip(names, decisions, strict=True)},
        strata=study.resampling,
    )


def _counts(read: _Read, name: str, figure: str) -> bool:
    row = read.rows.get(name)
    return row is not None and row["unranked"] is None and row["pessimistic"][figure] is not None


def _is_trivial(read: Sequence[_Read], name: str) -> bool:
    return _judge(read, name).method in TRIVIAL


def _judge(read: Sequence[_Read], name: str) -> Judge:
    return next(each.judges[name] for each in read if name in each.judges)


def _average(
    read: Sequence[_Read], names: Sequence[str], figure: str
) -> tuple[list[MacroAverage], list[MacroDifference]]:
    """Each dataset exchanges answers by a seed of its own."""
    if not names:
        return [], []
    parts = [
        DatasetPart(
            each.dataset.name,
            each.level.gold,
            each.level.cluster,
            [each.filled[name] for name in names],
            replace(each.strata, seed=_seed(place)),
        )
        for place, each in enumerate(read)
    ]
    return average_over_datasets(parts, figure)


def _seed(place: int) -> int:
    return SEED + 1 + place


def _entry(
    read: Sequence[_Read], name: str, figure: str, counting: Sequence[bool], average: MacroAverage | None
) -> AcrossEvaluator:
    judge, baseline = _judge(read, name), _is_trivial(read, name)
    lacking = [each.dataset.name for each, counts in zip(read, counting, strict=True) if not counts]
    ranked = average is not None and not baseline
    return {
        "evaluator": name,
        "method": judge.method,
        "model": judge.model,
        "baseline": baseline,
        "figures": [_figure(each.rows.get(name), figure) for each in read],
        "datasets": sum(counting),
        "average": average.value if average else None,
        "interval": average.interval.ends() if average and average.interval else None,
        "withheld": average.withheld if average else "",
        "rank": average.rank if average and ranked else None,
        "rank_set": list(average.rank_set) if average and ranked and average.rank_set else None,
        "unranked": BASELINE_APART if baseline else f"no ranked figure in {', '.join(lacking)}" if lacking else None,
    }


def _figure(row: DetectionRow | None, figure: str) -> AcrossFigure | None:
    if row is None:
        return None
    return {
        "value": row["pessimistic"][figure],
        "interval": row["pessimistic_intervals"].get(figure),
        "why": row["undefined"].get(figure, ""),
        "withheld": row["pessimistic_withheld"].get(figure, ""),
        "coverage": row["coverage"],
        "unranked": row["unranked"],
    }


def _describe_dataset(read: _Read, place: int) -> AcrossDataset:
    return {
        "dataset": read.dataset.name,
        "level": read.level.name,
        "gold_revision": read.dataset.find_gold_revision(),
        "n": next(iter(read.rows.values()))["n"],
        "seed": _seed(place),
    }


def _order(entry: AcrossEvaluator) -> tuple[bool, bool, int, float, str]:
    """The best first, then those without a rank, of more datasets first, the baselines last."""
    average = entry["average"]
    return (
        entry["baseline"],
        entry["rank"] is None,
        entry["rank"] or -entry["datasets"],
        -(average or 0.0),
        entry["evaluator"],
    )


def _pair(difference: MacroDifference, names: Sequence[str]) -> AcrossPair:
    one, other = difference.places
    around, better = difference.simultaneous, difference.better
    return {
        "one": names[one],
        "other": names[other],
        "difference": difference.difference,
        "simultaneous_interval": around.ends() if around else None,
        "p_adjusted": difference.p_adjusted,
        "better": None if better is None else names[better],
    }


def across_table(document: AcrossDocument) -> Table:
    """The table of the page, to take away."""
    title = METRICS[document["figure"]].title
    columns = ["Rank", "Last rank", "Evaluator", "Method", "Model", f"Average {title}", "Low", "High", "Datasets"]
    for each in document["datasets"]:
        columns += [each["dataset"], f"{each['dataset']} low", f"{each['dataset']} high", f"{each['dataset']} coverage"]
    rows = [[*_cells(entry), entry["unranked"]] for entry in document["evaluators"]]
    average = f"Average {title}"
    names = ("Rank", "Last rank", "Evaluator", average, *(each["dataset"] for each in document["datasets"]))
    top = frozenset(place for place, each in enumerate(document["evaluators"]) if (each["rank_set"] or [0])[0] == 1)
    printed = PrintedTable(
        {name: "First rank" if name == "Rank" else name for name in names},
        _caption(document),
        top,
        average,
        ends={average: ("Low", "High")},
    )
    return Table("datasets", f"{title} over several datasets", [*columns, "Not ranked because"], rows, printed)


def _caption(document: AcrossDocument) -> str:
    datasets = "; ".join(
        f"{each['dataset']} (gold revision {each['gold_revision']}, {level_title(each['level'], '').lower()}, "
        f"n = {each['n']:,}, seed of the test {each['seed']})"
        for each in document["datasets"]
    )
    return (
        f"{METRICS[document['figure']].title} of evaluators over several datasets, which count alike, with "
        f"{intervals_of(document['resamples'])}: {datasets}. {UNDECIDED} Bold: no other evaluator is significantly "
        f"higher. Test: prompts permuted ({document['permutations']:,} times), step-down over all pairs, p < 0.05."
    )


def _cells(entry: AcrossEvaluator) -> list[Cell]:
    first, last = entry["rank_set"] or (None, None)
    cells: list[Cell] = [first, last, entry["evaluator"], entry["method"], entry["model"]]
    cells += [*with_ends(entry["average"], entry["interval"]), entry["datasets"]]
    for figure in entry["figures"]:
        cells += [*with_ends(figure["value"], figure["interval"]), figure["coverage"]] if figure else [None] * 4
    return cells
