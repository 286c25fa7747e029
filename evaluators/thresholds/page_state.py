"""The state of the page of thresholds, all of it in the query string."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from evaluators.charts.theme import MOST_SERIES
from evaluators.comparison.levels import responses_by_level
from evaluators.comparison.slices import ALL, Slicing, names_used, slicings
from evaluators.thresholds.read import Scope
from stats.gold_table import GoldTable

# The number of lines that differ in colour and dash.
MOST_EVALUATORS = MOST_SERIES
# Evaluators beside the first one by default: each takes a second the first time.
FIRST_BESIDE = 2


@dataclass(frozen=True)
class ThresholdsState:
    """evaluator: the one looked at; beside: those overlaid in the curves."""

    evaluator: str
    beside: tuple[str, ...]
    scope: Scope

    @property
    def slice(self) -> str:
        """As the query string has it: "domain:science", or "all"."""
        return self.scope.slice

    @property
    def agreement_slice(self) -> str | None:
        """The slice as agreement between annotators knows it, None where it does not."""
        slicing = self.scope.slicing
        if slicing is None:
            return ALL
        return slicing.names[self.scope.place] if slicing.name in ("domain", "subject") else None


@dataclass(frozen=True)
class SliceOption:
    """A slice to choose: its name in the query string, and the name to show."""

    value: str
    name: str


def read_state(query: QueryDict, names: list[str], table: GoldTable) -> ThresholdsState:
    """The state of the link; by default the first evaluator with two others beside it, at the level of the units, over
    everything."""
    name = query.get("evaluator")
    evaluator = name if name in names else names[0]
    others = [each for each in names if each != evaluator]
    beside = [each for each in others if each in query.getlist("beside")] if name in names else others[:FIRST_BESIDE]
    levels = list(responses_by_level(table))
    level = query.get("level") if query.get("level") in levels else levels[0]
    scope = _scope(level or levels[0], query.get("slice", ALL), usable_slicings(table))
    return ThresholdsState(evaluator, tuple(beside[: MOST_EVALUATORS - 1]), scope)


def usable_slicings(table: GoldTable) -> dict[str, Slicing]:
    """The slicings whose slices hold both errors and correct units: curves need both."""
    return {name: slicing for name, slicing in slicings(table).items() if not slicing.only_recall}


def parts_to_choose(table: GoldTable, level: str) -> Mapping[str, list[SliceOption]]:
    """By the title of a slicing the slices that hold a unit of the level; a slicing of one slice parts nothing."""
    of_level = [slicing for slicing in usable_slicings(table).values() if level in slicing.of]
    named = [(slicing, names_used(slicing, level)) for slicing in of_level]
    return {
        slicing.title: [SliceOption(f"{slicing.name}:{name}", name) for name in names]
        for slicing, names in named
        if len(names) > 1
    }


def _scope(level: str, query: str, usable: Mapping[str, Slicing]) -> Scope:
    name, _, part = query.partition(":")
    slicing = usable.get(name)
    if slicing is None or level not in slicing.of or part not in slicing.names:
        return Scope(level)
    return Scope(level, slicing, slicing.names.index(part))
