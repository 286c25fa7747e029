"""The figures of one run against current gold, whether it is the last of its evaluator or not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.conf import settings

from annotate.models import Value
from core.caching import cached
from evaluators.comparison.extraction import read_extraction
from evaluators.comparison.levels import decisions_by_level, gold_levels, level_title, responses_by_level
from evaluators.comparison.page_state import ANSWERS, TRUTHS, has_gold
from evaluators.comparison.study import gold_state, predictions_kept, table_of
from evaluators.comparison.units_in_cell import DECISION_CODES, ConfusionTable, count, keys_of
from evaluators.models import Run
from evaluators.predictions.read import NO_PREDICTION, NOT_PARSED, Predictions, run_state
from stats.bootstrap import Resampling
from stats.detection import HEADLINES, Decisions, DetectionRow, Level
from stats.extraction import FIGURES, ExtractionFigure, ExtractionFigureKind, describe_extraction
from stats.gold_table import GoldTable
from stats.pessimistic import describe_with_pessimistic


@dataclass(frozen=True)
class ValueTable:
    """Units with gold by value: columns are gold's, rows the run's, then not parsed and missing; counts in the order of
    the columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class LevelFigures:
    """A run at one level of units. result: of all units with gold (stats/pessimistic.py). by_value: of claims, whose
    gold tells what is refuted from what its source does not say; None of others."""

    name: str
    title: str
    result: DetectionRow
    confusion: ConfusionTable
    by_value: ValueTable | None = None

    @property
    def decided(self) -> int:
        return round(self.result["predicted"])


@dataclass(frozen=True)
class ShownExtraction:
    """Claims of a run, units with gold of the responses that it judged by claims, responses with gold that it judged
    without, and each figure with what it is."""

    claims: int
    units: int
    left_out: int
    rows: Sequence[tuple[ExtractionFigureKind, ExtractionFigure]]


@dataclass(frozen=True)
class CellUnits:
    """The units of a cell of the run's confusion table, by primary keys: facts, or segments where `of_facts` is
    False; and their responses."""

    of_facts: bool
    units: frozenset[int]
    responses: frozenset[int]


def figures_of_run(run: Run) -> list[LevelFigures]:
    """The smallest units first; [] where the dataset has no gold. Kept until gold or the run says more."""
    if not has_gold(run.dataset):
        return []
    return cached(f"run-{gold_state(run.dataset, None)}-{run_state(run)}", lambda: _compute(run))


def extraction_of_run(run: Run) -> ShownExtraction | None:
    """The figures of the claims that it extracted by itself, also where the dataset has no gold; None without any."""
    if not run.extracted_claims.exists():
        return None
    table = table_of(run.dataset, None)
    key = f"extraction-{gold_state(run.dataset, None)}-{run_state(run)}"
    found = cached(key, lambda: describe_extraction(read_extraction(run, table), Resampling(table.strata)))
    return ShownExtraction(
        found["claims"],
        found["units"],
        found["left_out"],
        [(FIGURES[key], row) for key, row in found["figures"].items()],
    )


def _compute(run: Run) -> list[LevelFigures]:
    table = table_of(run.dataset, None)
    predictions, resampling = _predictions(run, table), Resampling(table.strata)
    decisions = decisions_by_level(table, predictions.units, predictions.segments)
    figures = [_of_level(run, level, decisions[level.name], resampling) for level in gold_levels(table)]
    if table.of_claims:
        figures[0] = replace(figures[0], title="Claims", by_value=count_by_value(table, predictions))
    return figures


def count_by_value(table: GoldTable, predictions: Predictions) -> ValueTable:
    gold, said, words = table.units.value, predictions.units, dict(Value.choices)
    answers = {**{words[value]: code for code, value in enumerate(table.values)}, "Unparsed": NOT_PARSED}
    answers["Missing"] = NO_PREDICTION
    rows = tuple(
        (name, tuple(int(np.sum((said == code) & (gold == truth))) for truth in range(len(table.values))))
        for name, code in answers.items()
    )
    return ValueTable(tuple(words[value] for value in table.values), rows)


def _of_level(run: Run, level: Level, decisions: Decisions, resampling: Resampling) -> LevelFigures:
    whole = replace(level, slice=np.zeros(len(level.gold), dtype=np.int64), slices=("",))
    rows = describe_with_pessimistic(whole, [decisions], resampling, HEADLINES, settings.LEAST_COVERAGE)
    inside = np.ones(len(level.gold), dtype=np.bool_)
    counts = tuple(
        (answer, tuple(count(level.gold, decisions, inside, truth, answer) for truth in TRUTHS)) for answer in ANSWERS
    )
    return LevelFigures(
        level.name,
        level_title(level.name, run.dataset.scheme),
        rows[0][0],
        ConfusionTable(run.evaluator.name, "", 1, counts),
    )


def units_of_cell(run: Run, truth: str, answer: str) -> CellUnits:
    """truth, answer: of TRUTHS and ANSWERS. The dataset has gold."""
    table = table_of(run.dataset, None)
    level = gold_levels(table)[0]
    predictions = _predictions(run, table)
    decisions = decisions_by_level(table, predictions.units, predictions.segments)[level.name]
    inside = np.flatnonzero((level.gold == DECISION_CODES[truth]) & (decisions == DECISION_CODES[answer]))
    responses = table.responses.key[responses_by_level(table)[level.name][inside]]
    units = keys_of(table, level.name)[inside]
    return CellUnits(table.of_facts, frozenset(units.tolist()), frozenset(responses.tolist()))


def _predictions(run: Run, table: GoldTable) -> Predictions:
    return predictions_kept(run, table, gold_state(run.dataset, None))
