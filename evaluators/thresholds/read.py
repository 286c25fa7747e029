"""The evaluators with scores, and the units of a level and a slice with gold, a decision and a score."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import decisions_by_level, judged_in_relevant, responses_by_level
from evaluators.comparison.slices import ALL, Slicing
from evaluators.comparison.study import ComparisonStudy
from evaluators.models import Run
from stats.arrays import Flags, Floats
from stats.curves import ScoredUnits
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Decisions
from stats.gold_table import GoldTable


@dataclass(frozen=True)
class Scope:
    """A level, and a slice of it (None: all of it)."""

    level: str
    slicing: Slicing | None = None
    place: int = 0

    @property
    def slice(self) -> str:
        """As a query string has it."""
        return ALL if self.slicing is None else f"{self.slicing.name}:{self.slicing.names[self.place]}"

    def of(self, table: GoldTable) -> Flags:
        """A flag for each unit of the level: it is in the slice."""
        count = len(responses_by_level(table)[self.level])
        return np.ones(count, np.bool_) if self.slicing is None else self.slicing.of[self.level] == self.place


@dataclass(frozen=True)
class EvaluatorScores:
    """units: those with a score, at these `places` of the level. Of the `n` units with gold, `unscored` have a decision
    without a score, and the rest no decision."""

    units: ScoredUnits
    places: Flags
    n: int
    unscored: int
    unparsed: int
    missing: int


def with_scores(judges: Iterable[Judge]) -> dict[str, tuple[Judge, Run]]:
    """The evaluators whose run gave any score, by name."""
    return {
        judge.name: (judge, judge.run)
        for judge in judges
        if judge.run is not None and not np.isnan(judge.predictions.scores).all()
    }


def read_scores(study: ComparisonStudy, judge: Judge, scope: Scope) -> EvaluatorScores:
    """The score of a whole is the lowest of its parts: one error among them makes it an error. A whole with a part
    without a score has none."""
    table = study.table
    gold = decisions_by_level(table, table.units.value)[scope.level]
    decisions = decisions_by_level(table, judge.predictions.units, judge.predictions.segments)[scope.level]
    score = _scores_at(table, judge.predictions.scores, scope.level)
    judged = scope.of(table) & np.isin(gold, (CORRECT, ERROR))
    decided = judged & np.isin(decisions, (CORRECT, ERROR))
    scored = decided & ~np.isnan(score)
    cluster = table.responses.prompt[responses_by_level(table)[scope.level]]
    units = ScoredUnits(gold[scored] == ERROR, decisions[scored] == ERROR, score[scored], cluster[scored])
    return EvaluatorScores(
        units,
        scored,
        n=int(judged.sum()),
        unscored=int((decided & ~scored).sum()),
        unparsed=_count(judged, decisions, UNPARSED),
        missing=_count(judged, decisions, MISSING),
    )


def _count(judged: Flags, decisions: Decisions, code: int) -> int:
    return int((judged & (decisions == code)).sum())


def _scores_at(table: GoldTable, scores: Floats, level: str) -> Floats:
    """The scores of a level's units; nan: none."""
    counted = judged_in_relevant(table)
    if level == ("fact" if table.of_facts else "segment"):
        return scores[counted]
    whole = table.units.segment if level == "segment" else table.response_of_unit
    count = len(responses_by_level(table)[level])
    parts, part_of = scores[counted], whole[counted]
    lowest = np.full(count, np.inf)
    np.minimum.at(lowest, part_of, np.where(np.isnan(parts), -np.inf, parts))
    return np.where(np.isinf(lowest), np.nan, lowest)
