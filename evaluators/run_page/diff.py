"""Two runs over one dataset, unit by unit: where one is right and the other wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.models import Dataset, GoldVersion
from core.errors import DataError
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.study import ComparisonStudy, baseline_kept, gold_state, predictions_kept, table_of
from evaluators.comparison.units_in_cell import narrowed
from evaluators.models import Run
from evaluators.runs.manifest import flatten
from stats.arrays import Flags, Ints
from stats.bootstrap import Resampling
from stats.detection import MISSING, Decisions, Level
from stats.gold_table import GoldTable

# Groups of units, by who is right. A unit without a decision counts as wrong, as in every figure.
ONE, OTHER, DIFFER, BOTH_WRONG, BOTH_RIGHT = "one", "other", "differ", "wrong", "right"
GROUPS = (ONE, OTHER, DIFFER, BOTH_WRONG, BOTH_RIGHT)
# Entries of a manifest that say nothing of how the run judges.
OF_THE_PLACE = ("code commit", "code changed", "database", "python")


@dataclass(frozen=True)
class RunDiff:
    """Two judges at one level. right: of each the units of the level that it has right, only those with gold."""

    study: ComparisonStudy
    level: str
    judges: tuple[Judge, Judge]
    gold: Decisions
    right: tuple[Flags, Flags]

    @property
    def with_gold(self) -> Flags:
        known: Flags = self.gold != MISSING
        return known

    @property
    def counts(self) -> dict[str, int]:
        """The units of each group."""
        return {group: int(self.inside(group).sum()) for group in GROUPS}

    @property
    def n(self) -> int:
        return int(self.with_gold.sum())

    def inside(self, group: str) -> Flags:
        one, other = self.right
        groups: dict[str, Flags] = {
            ONE: one & ~other,
            OTHER: other & ~one,
            DIFFER: one ^ other,
            BOTH_WRONG: ~one & ~other,
            BOTH_RIGHT: one & other,
        }
        return groups[group] & self.with_gold

    def units(self, group: str, domain: str = "", text: str = "") -> Ints:
        """The numbers of the group's units in reading order, narrowed by domain and text."""
        return np.flatnonzero(self.inside(group) & narrowed(self.study, self.level, domain, text))


def find_side(dataset: Dataset, key: str) -> Run | str | None:
    """The run over the dataset, or the trivial baseline of that name; None where there is none."""
    if key in TRIVIAL:
        return key
    if not key.isdecimal() or len(key) > 18:
        return None
    return Run.objects.filter(dataset=dataset, edits=False, pk=int(key)).select_related("evaluator").first()


def diff_of(
    dataset: Dataset, version: GoldVersion | None, one: Run | str, other: Run | str, level: str = ""
) -> RunDiff:
    """one, other: a run over the dataset, or the name of a trivial baseline. level: "" for the smallest units.

    DataError: no such baseline, or no such level.
    """
    table, state = table_of(dataset, version), gold_state(dataset, version)
    chosen = _level_named(table, level)
    is_named_twice = isinstance(one, Run) and isinstance(other, Run) and one.evaluator == other.evaluator
    judges = _judge(one, table, state, is_named_twice), _judge(other, table, state, is_named_twice)
    return RunDiff(
        ComparisonStudy(dataset, version, table, judges, Resampling(table.strata)),
        chosen.name,
        judges,
        chosen.gold,
        (_right(judges[0], table, chosen), _right(judges[1], table, chosen)),
    )


def _level_named(table: GoldTable, name: str) -> Level:
    levels = {each.name: each for each in gold_levels(table)}
    if name and name not in levels:
        raise DataError(f"There is no level {name!r}, only {', '.join(levels)}.")
    return levels[name] if name else next(iter(levels.values()))


def _judge(side: Run | str, table: GoldTable, state: str, with_key: bool) -> Judge:
    """with_key: the run's key tells it from another run of its evaluator."""
    if isinstance(side, Run):
        evaluator, predictions = side.evaluator, predictions_kept(side, table, state)
        name = f"{evaluator.name} (run {side.pk})" if with_key else evaluator.name
        return Judge(name, evaluator.method, evaluator.model, side, predictions, (side,))
    if side not in TRIVIAL:
        raise DataError(f"There is no baseline {side!r}, only {', '.join(TRIVIAL)}.")
    return Judge(side, side, "", None, baseline_kept(side, table, state))


def _right(judge: Judge, table: GoldTable, level: Level) -> Flags:
    decisions = decisions_by_level(table, judge.predictions.units, judge.predictions.segments)[level.name]
    right: Flags = (decisions == level.gold) & (level.gold != MISSING)
    return right


@dataclass(frozen=True)
class DifferingEntry:
    """An entry of what two runs are made of."""

    name: str
    one: Any
    other: Any

    @property
    def differs(self) -> bool:
        return bool(self.one != self.other)


def entries_of(one: Judge, other: Judge) -> list[DifferingEntry]:
    """What both runs are made of, the entries that differ first; "–" where a side has no such entry."""
    sides = [_entries(judge) for judge in (one, other)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    entries = [DifferingEntry(name, *(side.get(name, "–") for side in sides)) for name in names]
    return sorted(entries, key=lambda entry: not entry.differs)


def differing_entries(one: Judge, other: Judge) -> Sequence[DifferingEntry]:
    return [entry for entry in entries_of(one, other) if entry.differs]


def _entries(judge: Judge) -> Mapping[str, Any]:
    if judge.run is None:
        return {"method": judge.method}
    of_manifest = {name: value for name, value in flatten(judge.run.manifest) if name not in OF_THE_PLACE}
    parameters = {f"parameters {name}": value for name, value in judge.run.evaluator.parameters.items()}
    return {"method": judge.method, "model": judge.model or "–", **parameters, **of_manifest}
