"""The report: every metric of every evaluator's last finished run against gold (cli.md, `report`)."""

from collections.abc import Collection
from typing import Any

import numpy as np

from annotate.agreement.resampling import Resampling
from annotate.gold.read import read_gold
from annotate.gold.table import NO_GOLD, SUPPORTED, GoldTable, number
from annotate.models import Dataset
from evaluators.comparison.judges import RANDOM, Judge, read_judges
from evaluators.comparison.levels import decisions_by_level, gold_levels, parts_by_level
from evaluators.fact_generation.run_facts import generates
from evaluators.methods.factscore_facts import GENERATED, JUDGED
from evaluators.metrics.baselines import chance_of_error, expected_counts
from evaluators.metrics.detection import Counts, Level, describe_level, figures
from evaluators.metrics.estimation import Scores, describe_estimation, response_scores, scores_of_own_facts
from evaluators.models import Evaluator, Run
from evaluators.predictions.counts import JudgedCounts, count_judged
from evaluators.runs.listing import spent_by
from evaluators.runs.reasons import fallbacks_by_reason, skipped_by_reason


def build_report(
    dataset: Dataset, gold_version: str | None = None, evaluators: Collection[str] | None = None
) -> dict[str, Any]:
    """The document of `report` (cli.md): plain JSON values, None where undefined or unknown.

    gold_version: None for gold in force. evaluators: names to limit it to; the trivial baselines are there anyway.
    Raises DataError for a version or evaluator that is not there.
    """
    table = read_gold(dataset, gold_version)
    judges = read_judges(dataset, table, evaluators)
    resampling = Resampling(table.strata)
    results = _describe_detection(table, judges, resampling)
    runs = [judge.run for judge in judges if judge.run is not None]
    spent, skipped, fallbacks = describe_spending(runs), skipped_by_reason(runs), fallbacks_by_reason(runs)
    return {
        "dataset": dataset.name,
        "gold_version": gold_version,
        "seed": resampling.seed,
        "resamples": resampling.resamples,
        "evaluators": [
            {
                "evaluator": judge.name,
                "run": judge.run.pk if judge.run else None,
                "method": judge.method,
                "model": judge.model,
                "results": results[place],
                **_describe_estimation(table, judge, resampling),
                "skipped": dict(skipped[judge.run.pk]) if judge.run else {},
                "fallbacks": dict(fallbacks[judge.run.pk]) if judge.run else {},
                **(spent[judge.run.pk] if judge.run else {"tokens": 0, "cost_usd": 0.0, "seconds": None}),
            }
            for place, judge in enumerate(judges)
        ],
    }


def _describe_detection(table: GoldTable, judges: list[Judge], resampling: Resampling) -> list[list[dict[str, Any]]]:
    """Each judge's results, level by level; a slice without a name is left to "all"."""
    decided = [decisions_by_level(table, judge.predictions.units, judge.predictions.segments) for judge in judges]
    results: list[list[dict[str, Any]]] = [[] for _ in judges]
    parts = parts_by_level(table)
    for level in gold_levels(table):
        described = describe_level(level, [by_level[level.name] for by_level in decided], resampling)
        expected = _expected(level, chance_of_error(parts[level.name]))
        for judge, rows, found in zip(judges, results, described, strict=True):
            named = [row for row in found if row["slice"][level.slice_name]]
            if judge.method == RANDOM:
                named = [{**row, "expected": expected[row["slice"][level.slice_name]]} for row in named]
            rows += named
    return results


def _expected(level: Level, chance: Any) -> dict[str, dict[str, float | None]]:
    """The figures to expect of a random judge, by slice."""
    counts = expected_counts(level.gold, chance, level.slice, len(level.slices))
    whole = Counts(counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum())
    of_slices = {
        name: figures(Counts(counts.tp[place], counts.fp[place], counts.fn[place], counts.tn[place]))
        for place, name in enumerate(level.slices)
    }
    return {**of_slices, "all": figures(whole)}


def _describe_estimation(table: GoldTable, judge: Judge, resampling: Resampling) -> dict[str, Any]:
    """The subject models' FActScores as the judge estimates them; there are none in FELM's scheme."""
    if not table.of_facts:
        return {"facts": None, "subjects": [], "ranking_kept": None}
    subjects, subject = number(table.responses.subject)
    facts, scores = scores_of(table, judge)
    return {"facts": facts, **describe_estimation(scores, subject, subjects, table.responses.prompt, resampling)}


def scores_of(table: GoldTable, judge: Judge) -> tuple[str, Scores]:
    """Which facts it judged, and the scores that follow from them; for datasets of facts."""
    if judge.run is not None and generates(judge.run.evaluator.parameters):
        return GENERATED, _score_own_facts(table, judge.run)
    return JUDGED, _score_judged_facts(table, judge)


def _score_judged_facts(table: GoldTable, judge: Judge) -> Scores:
    gold, said = table.units.value, judge.predictions.units
    answered = ~table.responses.abstained[table.response_of_unit]
    return response_scores(
        response=table.response_of_unit,
        responses=len(table.responses.key),
        gold_known=(gold != NO_GOLD) & answered,
        gold=gold == SUPPORTED,
        judged=(said >= 0) & answered,
        called=said == SUPPORTED,
    )


def _score_own_facts(table: GoldTable, run: Run) -> Scores:
    """The evaluator's score end to end, from facts of its own making (definitions.md §4)."""
    counts = count_judged(run)
    found = [counts.get(key, JudgedCounts()) for key in table.responses.key.tolist()]
    answered = ~table.responses.abstained
    return scores_of_own_facts(
        response=table.response_of_unit,
        gold_known=(table.units.value != NO_GOLD) & answered[table.response_of_unit],
        gold=table.units.value == SUPPORTED,
        supported=np.array([of.supported for of in found], dtype=np.int64),
        judged=np.where(answered, [of.judged for of in found], 0),
    )


def describe_spending(runs: list[Run]) -> dict[int, dict[str, Any]]:
    """What each run took, by its key. Of one that ran elsewhere nothing is known."""
    spent = spent_by(runs)
    return {
        run.pk: {"tokens": None, "cost_usd": None, "seconds": None}
        if run.evaluator.method == Evaluator.IMPORTED
        else {"tokens": spent[run.pk].tokens, "cost_usd": spent[run.pk].cost_usd, "seconds": _seconds(run)}
        for run in runs
    }


def _seconds(run: Run) -> float | None:
    """From the start to the last prediction stored."""
    if run.started_at is None or run.last_prediction_at is None:
        return None
    return (run.last_prediction_at - run.started_at).total_seconds()
