"""What is behind a figure: the units of a slice by what gold says of them and what the evaluator said."""

from dataclasses import dataclass

import numpy as np

from evaluators.comparison.figures import decisions_of, level_in
from evaluators.comparison.judges import Judge
from evaluators.comparison.page_state import SAID, TRUTHS, Chosen
from evaluators.comparison.study import Study
from stats.arrays import Flags
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Decisions, Level

CODE = {"error": ERROR, "correct": CORRECT, "unparsed": UNPARSED, "missing": MISSING}


@dataclass(frozen=True)
class Confusion:
    """rows: for each thing that may be said (SAID), the counts of units that are an error and correct in gold."""

    evaluator: str
    slice: str
    rows: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def n(self) -> int:
        return sum(sum(counts) for _, counts in self.rows)


def confusion_of(study: Study, chosen: Chosen, judge: Judge, slice: str) -> Confusion:
    """Over all ticked units where `slice` is "", else over those of that slice."""
    level = level_in(study.table, chosen.question, chosen.by)
    inside, said = in_slice(level, slice), decisions_of(study.table, judge, level.name)
    rows = tuple((name, tuple(count(level.gold, said, inside, truth, name) for truth in TRUTHS)) for name in SAID)
    return Confusion(judge.name, slice, rows)


def in_slice(level: Level, slice: str) -> Flags:
    if not slice:
        return np.ones(len(level.gold), dtype=np.bool_)
    inside: Flags = level.slice == level.slices.index(slice)
    return inside


def count(gold: Decisions, decisions: Decisions, inside: Flags, truth: str, said: str) -> int:
    return int(np.sum(inside & (gold == CODE[truth]) & (decisions == CODE[said])))
