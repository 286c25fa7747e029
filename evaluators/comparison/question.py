"""What a comparison is asked for."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import DataError
from evaluators.comparison.levels import responses_by_level
from evaluators.comparison.slices import slicings
from stats.detection import METRICS
from stats.gold_table import GoldTable


@dataclass(frozen=True)
class Question:
    """What is compared. evaluators: names, beside the trivial baselines, None for all. slicing: the name of one of
    `slicings`; slices: those of it that count, none for all units. figure: one of METRICS (stats/detection.py)."""

    level: str
    slicing: str
    evaluators: tuple[str, ...] | None = None
    slices: tuple[str, ...] = ()
    figure: str = "f1"


def read_question(fields: Mapping[str, Any]) -> Question:
    """The question from its fields as they are stored in JSON, where tuples are lists."""
    question = Question(**fields)
    names = question.evaluators
    return replace(question, evaluators=None if names is None else tuple(names), slices=tuple(question.slices))


def check_question(question: Question, table: GoldTable) -> None:
    """DataError: it names a level, slicing, slice or figure that is not there."""
    found = slicings(table)
    _one_of("level", question.level, responses_by_level(table))
    _one_of("slicing", question.slicing, [name for name in found if question.level in found[name].of])
    for name in question.slices:
        _one_of(f"slice by {question.slicing}", name, found[question.slicing].names)
    _one_of("figure", question.figure, METRICS)


def _one_of(kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise DataError(f"There is no {kind} {name!r}, only {', '.join(known)}.")
