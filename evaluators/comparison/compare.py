"""The figures of the comparison page: each chosen evaluator over the ticked units, and slice by slice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotate.agreement.resampling import Flags, Ints
from evaluators.comparison.board import Document
from evaluators.comparison.chosen import Chosen
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.slices import NO_SLICE
from evaluators.comparison.study import Study
from evaluators.metrics.detection import MISSING, Decisions, Level, describe_level


@dataclass(frozen=True)
class Line:
    """An evaluator: its figures over all ticked units (`whole`), and by slice; entries as of cli.md, `report`."""

    judge: Judge
    whole: Document
    by_slice: dict[str, Document]
    cost_usd: float | None

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def baseline(self) -> bool:
        return self.judge.method in TRIVIAL


@dataclass(frozen=True)
class Measured:
    """A figure as it is shown: None is undefined, and `why` says why. bounds: by unparsed outputs, None without any."""

    value: float | None
    interval: Sequence[float] | None
    bounds: Sequence[float] | None
    why: str
    n: int
    coverage: float | None


def level_of(study: Study, chosen: Chosen) -> Level:
    """The chosen level in the chosen slices. Units that are not ticked have no gold here, so that nothing counts them;
    those in none of the slices stand in a last one without a name."""
    level = next(level for level in gold_levels(study.table) if level.name == chosen.level)
    numbers = chosen.by.of[chosen.level]
    slices: Ints = np.where(numbers == NO_SLICE, len(chosen.by.names), numbers)
    gold: Decisions = np.where(ticked(chosen), level.gold, MISSING).astype(np.int8)
    return replace(level, gold=gold, slice=slices, slices=(*chosen.by.names, ""), slice_name=chosen.by.name)


def ticked(chosen: Chosen) -> Flags:
    """Which units of the level are in the ticked slices; all where none is ticked."""
    numbers = chosen.by.of[chosen.level]
    if not chosen.slices:
        return np.ones(len(numbers), dtype=np.bool_)
    places = [chosen.by.names.index(name) for name in chosen.slices]
    return np.isin(numbers, places)


def decisions_of(study: Study, judge: Judge, level: str) -> Decisions:
    said = judge.predictions
    return decisions_by_level(study.table, said.units, said.segments)[level]


def judges_of(study: Study, chosen: Chosen) -> list[Judge]:
    """The trivial baselines, and the ticked evaluators."""
    return [judge for judge in study.judges if judge.method in TRIVIAL or judge.name in chosen.evaluators]


def measure(study: Study, chosen: Chosen, costs: dict[str, float | None]) -> list[Line]:
    """One line a judge, the best by the chosen figure first, the baselines last; what is undefined after the rest."""
    judges = judges_of(study, chosen)
    level = level_of(study, chosen)
    results = describe_level(level, [decisions_of(study, judge, level.name) for judge in judges], study.resampling)
    lines = [
        Line(judge, whole, dict(zip(level.slices, parts, strict=True)), costs.get(judge.name))
        for judge, (whole, *parts) in zip(judges, results, strict=True)
    ]
    return sorted(lines, key=lambda line: (line.baseline, line.whole[chosen.figure] is None, _falling(line, chosen)))


def _falling(line: Line, chosen: Chosen) -> tuple[float, str]:
    return -(line.whole[chosen.figure] or 0.0), line.name


def measured(result: dict[str, Any], figure: str) -> Measured:
    return Measured(
        value=result[figure],
        interval=result.get(f"{figure}_interval"),
        bounds=result.get(f"{figure}_bounds") if result["unparsed"] else None,
        why=result["undefined"].get(figure, ""),
        n=result["n"],
        coverage=result["coverage"],
    )
