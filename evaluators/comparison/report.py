"""The report: every metric of every evaluator's last finished run against gold (docs/commands.md, `report`)."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

import numpy as np
from django.conf import settings

from annotate.gold.read import read_gold
from annotate.models import Dataset, GoldVersion
from core.caching import cached
from core.csv import csv_line
from core.tables import with_ends
from evaluators.comparison.documents import (
    LevelNoise,
    RecallEstimation,
    Report,
    ReportEntry,
    ReportEstimation,
    SubjectsMean,
)
from evaluators.comparison.extraction import extracting_runs, extractions_of
from evaluators.comparison.judges import RANDOM, Judge, decisions_of_runs, describe_repeats, read_judges, rows_of_judge
from evaluators.comparison.levels import RECALL, gold_levels, parts_by_level
from evaluators.comparison.recall import RecallBasis, read_basis, recall_of_judge
from evaluators.comparison.study import FIGURES_VERSION, table_of
from evaluators.methods.factscore_facts import JUDGED, facts_of
from evaluators.models import Comparison, Run
from evaluators.predictions.counts import JudgedCounts, count_judged
from evaluators.predictions.prices import RunSpending, describe_spending
from evaluators.runs.reasons import fallbacks_by_reason, skipped_by_reason
from stats.arrays import number
from stats.baselines import chance_of_error, expected_counts
from stats.bootstrap import Resampling
from stats.detection import HEADLINES, METRICS, ConfusionCounts, Decisions, DetectionRow, Level, figures
from stats.f1_at_k import KChoice, SubjectAtK, common_k
from stats.factscore_estimation import (
    EstimatedScores,
    MeanEstimation,
    describe_estimation,
    response_scores,
    scores_of_own_facts,
)
from stats.gold_table import NO_GOLD, SUPPORTED, GoldTable
from stats.pessimistic import describe_with_pessimistic, undecided_as_wrong
from stats.run_noise import describe_runs
from stats.slice_means import UNDEFINED, mean_f1

# Of a baseline without a run.
NOT_RUN: RunSpending = {"tokens": 0, "cost_usd": 0.0, "known_usd": 0.0, "unpriced": [], "seconds": None}


def _metric_columns(name: str) -> list[str]:
    ends = ("low", "high", "worst", "best") if name in HEADLINES else ()
    return [name, *(f"{name}_{end}" for end in ends)]


# Of the report as CSV.
AT_K_COLUMNS = ("f1_at_k", "f1_at_k_low", "f1_at_k_high", "k")
COLUMNS = (
    *("evaluator", "run", "method", "model", "level", "slice"),
    *("n", "predicted", "unparsed", "missing", "coverage", "tp", "fp", "fn", "tn"),
    *(column for name in METRICS for column in _metric_columns(name)),
    *("tokens", "cost_usd", "known_usd", "unpriced", "seconds"),
    *("f1_pessimistic", "f1_pessimistic_low", "f1_pessimistic_high", "unranked"),
    *AT_K_COLUMNS,
)


def build_report(
    dataset: Dataset,
    gold_version: str | None = None,
    evaluators: Collection[str] | None = None,
    k: KChoice = None,
) -> Report:
    """The document of `report` (docs/commands.md): plain JSON values, None where undefined or unknown.

    gold_version: None for gold in force. evaluators: names to limit it to; the trivial baselines are there anyway. k:
    of F1@K. Raises DataError for a version or evaluator that is not there.
    """
    table = read_gold(dataset, gold_version)
    judges = read_judges(dataset, table, evaluators)
    resampling = Resampling(table.strata)
    decided = [decisions_of_runs(table, judge) for judge in judges]
    results, noise = _describe_detection(table, judges, decided, resampling)
    runs = [judge.run for judge in judges if judge.run is not None]
    spent, skipped, fallbacks = describe_spending(runs), skipped_by_reason(runs), fallbacks_by_reason(runs)
    extractions = extractions_of(runs, table, resampling)
    basis = read_basis(dataset, table, k, extractions.keys())
    return {
        "dataset": dataset.name,
        "scheme": dataset.scheme,
        "gold_version": gold_version,
        "seed": resampling.seed,
        "resamples": resampling.resamples,
        "evaluators": [
            {
                "evaluator": judge.name,
                "run": judge.run.pk if judge.run else None,
                **describe_repeats(judge),
                "method": judge.method,
                "model": judge.model,
                "method_code": judge.run.manifest.get("method_code") if judge.run else None,
                "results": results[place],
                "run_noise": noise[place],
                **_describe_estimation(table, judge, decided[place], resampling, basis),
                "extraction": extractions.get(judge.run.pk) if judge.run else None,
                "skipped": dict(skipped[judge.run.pk]) if judge.run else {},
                "fallbacks": dict(fallbacks[judge.run.pk]) if judge.run else {},
                **(spent[judge.run.pk] if judge.run else NOT_RUN),
            }
            for place, judge in enumerate(judges)
        ],
    }


def _describe_detection(
    table: GoldTable, judges: list[Judge], decided: list[Mapping[str, Decisions]], resampling: Resampling
) -> tuple[list[list[DetectionRow]], list[list[LevelNoise]]]:
    """Each judge's results, level by level, and those of its runs; a slice without a name is left to "all"."""
    results: list[list[DetectionRow]] = [[] for _ in judges]
    noise: list[list[LevelNoise]] = [[] for _ in judges]
    parts = parts_by_level(table)
    for level in gold_levels(table):
        decisions = [by_level[level.name] for by_level in decided]
        described = describe_with_pessimistic(level, decisions, resampling, least=settings.LEAST_COVERAGE)
        expected = _expected(level, chance_of_error(parts[level.name]))
        for place, judge in enumerate(judges):
            named = [row for row in rows_of_judge(judge, described[place]) if row["slice"][level.slice_name]]
            if judge.method == RANDOM:
                named = [{**row, "expected": expected[row["slice"][level.slice_name]]} for row in named]
            results[place] += named
            if len(judge.runs) > 1:
                filled = undecided_as_wrong(level.gold, decisions[place])
                noise[place].append({"level": level.name, **describe_runs(level, filled, "f1", resampling)})
    return results, noise


def _expected(level: Level, chance: Any) -> dict[str, dict[str, float | None]]:
    """The figures to expect of a random judge, by slice."""
    counts = expected_counts(level.gold, chance, level.slice, len(level.slices))
    whole = ConfusionCounts(counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum())
    of_slices = {
        name: figures(ConfusionCounts(counts.tp[place], counts.fp[place], counts.fn[place], counts.tn[place]))
        for place, name in enumerate(level.slices)
    }
    return {**of_slices, "all": figures(whole)}


def _describe_estimation(
    table: GoldTable,
    judge: Judge,
    decided: Mapping[str, Decisions],
    resampling: Resampling,
    basis: RecallBasis,
) -> ReportEstimation:
    """The subject models' FActScores and recall as the judge estimates them; there are FActScores of facts only.
    decided: its decisions by level."""
    recall = recall_of_judge(basis, judge)
    if not table.of_facts:
        return {
            "facts": None,
            "subjects": [],
            "subjects_mean": None,
            "ranking_kept": None,
            "at_k": recall["at_k"],
            "at_k_undefined": recall["at_k_undefined"],
            "reference": recall["reference"],
        }
    subjects, subject = number(table.responses.subject)
    facts, scores = scores_of(table, judge)
    estimation = describe_estimation(scores, subject, subjects, table.responses.prompt, resampling)
    return {
        "facts": facts,
        **estimation,
        "subjects_mean": _with_f1(estimation["subjects_mean"], table, decided, resampling),
        **recall,
    }


def _with_f1(
    means: MeanEstimation, table: GoldTable, decided: Mapping[str, Decisions], resampling: Resampling
) -> SubjectsMean:
    """Undefined where a subject has no name, as it has no row of its own."""
    level = next(level for level in gold_levels(table) if level.name == "fact")
    found = UNDEFINED if "" in level.slices else mean_f1(level, decided["fact"], resampling)
    withheld = {"f1": found.withheld} if found.withheld else {}
    return {
        **means,
        "f1": found.value,
        "f1_interval": found.interval.ends() if found.interval else None,
        "withheld": means["withheld"] | withheld,
    }


def scores_of(table: GoldTable, judge: Judge) -> tuple[str, EstimatedScores]:
    """The kind of facts that it judged, and the scores that follow from them; for datasets of facts."""
    if judge.run is not None and (kind := facts_of(judge.run.evaluator.parameters)) != JUDGED:
        return kind, _score_own_facts(table, judge.run)
    return JUDGED, _score_judged_facts(table, judge)


def _score_judged_facts(table: GoldTable, judge: Judge) -> EstimatedScores:
    gold, predicted = table.units.value, judge.predictions.units
    answered = ~table.responses.abstained[table.response_of_unit]
    return response_scores(
        response=table.response_of_unit,
        responses=len(table.responses.key),
        gold_known=(gold != NO_GOLD) & answered,
        gold=gold == SUPPORTED,
        judged=(predicted >= 0) & answered,
        called=predicted == SUPPORTED,
    )


def _score_own_facts(table: GoldTable, run: Run) -> EstimatedScores:
    """The evaluator's score end to end, from facts that it generates or that came with the file (docs/statistics.md,
    FActScore of a subject model)."""
    counts = count_judged(run)
    judged_counts = [counts.get(key, JudgedCounts()) for key in table.responses.key.tolist()]
    answered = ~table.responses.abstained
    return scores_of_own_facts(
        response=table.response_of_unit,
        gold_known=(table.units.value != NO_GOLD) & answered[table.response_of_unit],
        gold=table.units.value == SUPPORTED,
        supported=np.array([of.supported for of in judged_counts], dtype=np.int64),
        judged=np.where(answered, [of.judged for of in judged_counts], 0),
    )


def report_of(dataset: Dataset, version: GoldVersion | None, k: KChoice = None) -> Report:
    """The report of all evaluators against gold in force, or a frozen version of it: as a worker has computed it, where
    it is large and somebody has asked for the leaderboard (evaluators/comparison/ready.py). k: of F1@K."""
    key = report_key(dataset, version)
    report = cached(key, lambda: _of_a_worker(key) or build_report(dataset, version.name if version else None))
    return report_at(dataset, version, k, report)


def report_at(dataset: Dataset, version: GoldVersion | None, k: KChoice, report: Report) -> Report:
    """The report with F1@K at another K."""
    if k is None:
        return report
    key = report_key(dataset, version)
    recall = cached(f"{key}-at-{k}", lambda: _recall_at(dataset, version, k))
    # Whose run has finished since the report was computed is not in it.
    known = [entry for entry in report["evaluators"] if entry["evaluator"] in recall]
    entries = [cast(ReportEntry, {**entry, **recall[entry["evaluator"]]}) for entry in known]
    return {**report, "evaluators": entries}


def _recall_at(dataset: Dataset, version: GoldVersion | None, k: KChoice) -> dict[str, RecallEstimation]:
    """By the names of the evaluators."""
    table = table_of(dataset, version)
    judges = read_judges(dataset, table)
    extracting = extracting_runs([judge.run for judge in judges if judge.run is not None])
    basis = read_basis(dataset, table, k, extracting)
    return {judge.name: recall_of_judge(basis, judge) for judge in judges}


def _of_a_worker(key: str) -> Report | None:
    report: Report | None = Comparison.objects.done().filter(key=key).values_list("figures", flat=True).first()
    return report


def report_key(dataset: Dataset, version: GoldVersion | None) -> str:
    """A name for everything that a report is made of: gold, the visible responses, the reference lists, the finished
    runs and their predictions (an imported run grows with every file)."""
    runs = Run.compared(dataset).order_by("pk")
    made_of = [
        FIGURES_VERSION,
        dataset.pk,
        dataset.name,
        dataset.gold_revision,
        dataset.responses.visible().count(),
        dataset.lists_revision,
        version.pk if version else None,
        *runs.values_list("pk", "evaluator__name", "last_prediction_at"),
    ]
    return f"report-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"


def slice_of(result: DetectionRow) -> str:
    """A result's slice has one key, "domain" or "subject"."""
    (name,) = result["slice"].values()
    return str(name)


def report_as_csv(report: Report) -> Iterator[str]:
    """The header, then a line an evaluator, level and slice; F1@K is a level of its own, with a line a subject model. A
    cell is empty where the figure is undefined; a name that a spreadsheet would run as a formula gets an apostrophe
    before it."""
    yield csv_line(COLUMNS)
    for entry in report["evaluators"]:
        for result in entry["results"]:
            yield csv_line(_cells(entry, result))
        for subject in entry["at_k"]["subjects"] if entry["at_k"] else ():
            yield csv_line(_cells_of_recall(entry, subject))


def _cells_of_recall(entry: ReportEntry, subject: SubjectAtK) -> list[Any]:
    known: dict[str, Any] = {**entry, "level": RECALL, "slice": subject["subject"], "n": subject["n"]}
    known["unpriced"] = ", ".join(entry["unpriced"])
    ends = with_ends(subject["f1"], subject["f1_interval"])
    known |= zip(AT_K_COLUMNS, (*ends, common_k(entry["at_k"])), strict=True)
    return [known.get(column) for column in COLUMNS]


def _cells(entry: ReportEntry, result: DetectionRow) -> list[Any]:
    known: dict[str, Any] = {**entry, **result, "slice": slice_of(result)}
    known["unpriced"] = ", ".join(entry["unpriced"])
    for figure in HEADLINES:
        known[f"{figure}_low"], known[f"{figure}_high"] = known[f"{figure}_interval"] or (None, None)
        known[f"{figure}_worst"], known[f"{figure}_best"] = known[f"{figure}_bounds"] or (None, None)
    known["f1_pessimistic"] = result["pessimistic"]["f1"]
    ends = result["pessimistic_intervals"]["f1"] or (None, None)
    known["f1_pessimistic_low"], known["f1_pessimistic_high"] = ends
    known |= dict.fromkeys(AT_K_COLUMNS)
    return [known[column] for column in COLUMNS]
