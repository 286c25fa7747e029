"""The tables of scorings on the results page: rows in the chosen order, and pairs of scorings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.numbers import p_text
from factor.results.comparisons import ranks_of
from factor.results.page_state import COLUMNS, ResultsState
from factor.results.report_types import FactorReport, PairFigures, RuleFigures, ScoringFigures
from factor.results.representative import begun, without_prefix
from stats.factor import RULES


@dataclass(frozen=True)
class ScoringRow:
    """A scoring of the report; its rank by the chosen rule, and the accuracies of the same model without a prefix,
    empty where that was not scored."""

    entry: ScoringFigures
    rank: str
    no_prefix: Mapping[str, float | None]
    rule: str
    chance: float | None

    @property
    def ruled(self) -> RuleFigures:
        return self.entry["rules"][self.rule]

    @property
    def is_top(self) -> bool:
        """No other scoring is significantly better by the chosen rule."""
        return self.ruled["accuracy"] is not None and self.rank.partition("–")[0] == "1"

    @property
    def by_rule(self) -> list[tuple[str, RuleFigures, list[float | None]]]:
        """Of each rule its name, its figures and its references: chance, and the model without a prefix."""
        return [(rule, self.entry["rules"][rule], [self.chance, self.no_prefix.get(rule)]) for rule in RULES]

    def value(self, column: str) -> Any:
        """The cell of a column of COLUMNS."""
        entry, figures = self.entry, self.ruled
        return {
            "name": entry["name"],
            "parameters": entry["parameters"],
            **{rule: entry["rules"][rule]["accuracy"] for rule in RULES},
            "pairs": entry["pair_accuracy"]["accuracy"],
            "n": entry["n"],
            "ties": figures["ties"],
            "missing": figures["missing"],
        }[column]


def rows_of(report: FactorReport, state: ResultsState) -> list[ScoringRow]:
    """In the chosen order; undefined and unknown values come last either way."""
    ranks = ranks_of(report["scorings"], report["pairs"])
    bare = {key: _accuracies(each) for key, each in without_prefix(report["scorings"]).items()}
    rows = [
        ScoringRow(
            each,
            _rank_text(ranks[each["scoring"]]),
            bare.get(begun(each), {}) if each["with_prefix"] else {},
            report["rule"],
            report["chance"],
        )
        for each in report["scorings"]
    ]
    column, falling = state.order.removeprefix("-"), state.order.startswith("-")
    known = [row for row in rows if row.value(column) is not None]
    known.sort(key=lambda row: _key(row.value(column)), reverse=falling)
    return known + [row for row in rows if row.value(column) is None]


def _key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _rank_text(rank: tuple[int, int]) -> str:
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def _accuracies(entry: ScoringFigures) -> dict[str, float | None]:
    return {rule: entry["rules"][rule]["accuracy"] for rule in RULES}


def heads() -> list[dict[str, Any]]:
    """What templates/runs/sort.html needs for each column."""
    return [
        {
            "key": key,
            "name": title,
            "help": help,
            "first": key if rising else f"-{key}",
            "number": key != "name",
            "section": "" if key in ("name", "parameters") else "Score and outcome of an example",
        }
        for key, (title, help, rising) in COLUMNS.items()
    ]


class PairCell(PairFigures):
    """sure: whether one of the two is better. p_text: the adjusted p in words, "" where it is undefined."""

    sure: bool
    p_text: str


class RetrievalPair(PairCell):
    """A scoring with retrieval, and the one without that it is compared with."""

    grounded: ScoringFigures
    alone: ScoringFigures


def matrix_of(pairs: Sequence[PairFigures], rows: Sequence[ScoringRow]) -> list[tuple[str, list[PairCell | None]]]:
    """For each scoring its name and its accuracy less that of each, in the order of the table; None against itself."""
    keys = [row.entry["scoring"] for row in rows]
    cells: dict[tuple[int, int], PairCell] = {}
    for pair in pairs:
        cell = with_p_text(pair)
        cells[pair["one"], pair["other"]] = cell
        cells[pair["other"], pair["one"]] = turned(cell)
    return [(row.entry["name"], [cells.get((row.entry["scoring"], key)) for key in keys]) for row in rows]


def retrieval_pairs(pairs: Sequence[PairFigures], scorings: Sequence[ScoringFigures]) -> list[RetrievalPair]:
    by_key = {each["scoring"]: each for each in scorings}
    return [{**with_p_text(pair), "grounded": by_key[pair["one"]], "alone": by_key[pair["other"]]} for pair in pairs]


def with_p_text(pair: PairFigures) -> PairCell:
    return {**pair, "sure": pair["better"] is not None, "p_text": p_text(pair["p_adjusted"])}


def turned(pair: PairCell) -> PairCell:
    """The same, seen from the other."""
    difference = pair["difference"]
    return {
        **pair,
        "one": pair["other"],
        "other": pair["one"],
        "difference": None if difference is None else -difference,
        "interval": _turned(pair["interval"]),
        "simultaneous_interval": _turned(pair["simultaneous_interval"]),
    }


def _turned(around: list[float] | None) -> list[float] | None:
    return None if around is None else [-around[1], -around[0]]
