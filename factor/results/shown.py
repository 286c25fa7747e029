"""The results page's table of scorings: its rows in the chosen order, and what stands beside each figure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from factor.metrics.outcomes import RULES
from factor.results.against import ranks_of
from factor.results.chosen import COLUMNS, ResultsState
from factor.results.standing import without_prefix

Document = dict[str, Any]


@dataclass(frozen=True)
class ScoringRow:
    """A scoring as the report has it; its rank by the chosen rule, and what the same model reaches by that rule without
    a prefix, None where that was not scored."""

    entry: Document
    rank: str
    no_prefix: Mapping[str, float | None]
    rule: str
    chance: float | None

    @property
    def ruled(self) -> Document:
        found: Document = self.entry["rules"][self.rule]
        return found

    @property
    def by_rule(self) -> list[tuple[str, Document, list[float | None]]]:
        """Of each rule its name, its figures and what to read them against: chance, and the model without a prefix."""
        return [(rule, self.entry["rules"][rule], [self.chance, self.no_prefix.get(rule)]) for rule in RULES]

    def value(self, column: str) -> Any:
        if column in RULES:
            return self.entry["rules"][column]["accuracy"]
        if column == "pairs":
            return self.entry["pair_accuracy"]["accuracy"]
        if column in ("ties", "missing"):
            return self.ruled[column]
        return self.entry[column]


def rows_of(report: Document, chosen: ResultsState) -> list[ScoringRow]:
    """In the chosen order; what is undefined or not known comes last either way."""
    ranks = ranks_of(report["scorings"], report["pairs"])
    bare = {model: _accuracies(each) for model, each in without_prefix(report["scorings"]).items()}
    rows = [
        ScoringRow(
            each,
            _told(ranks[each["scoring"]]),
            bare.get(each["model"], {}) if each["with_prefix"] else {},
            report["rule"],
            report["chance"],
        )
        for each in report["scorings"]
    ]
    column, falling = chosen.order.removeprefix("-"), chosen.order.startswith("-")
    known = [row for row in rows if row.value(column) is not None]
    known.sort(key=lambda row: _key(row.value(column)), reverse=falling)
    return known + [row for row in rows if row.value(column) is None]


def _key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _told(rank: tuple[int, int]) -> str:
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def _accuracies(entry: Document) -> dict[str, float | None]:
    return {rule: entry["rules"][rule]["accuracy"] for rule in RULES}


def heads() -> list[dict[str, Any]]:
    """What templates/runs/sort.html needs for each column."""
    return [
        {"key": key, "name": title, "help": help, "first": key if rising else f"-{key}", "number": key != "name"}
        for key, (title, help, rising) in COLUMNS.items()
    ]
