"""The rows, the table and the chart of the page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.statistics.caption import intervals_of
from core.tables import PrintedTable, Table
from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, ReferenceLine, scatter
from evaluators.combinations.candidates import ALONE, BOTH, CASCADE, EITHER, MAJORITY
from evaluators.combinations.measure import MeasuredCombination
from evaluators.combinations.page_state import CombinationsState
from evaluators.comparison.caption import UNDECIDED
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED
from evaluators.predictions.prices import DOLLARS
from stats.detection import METRICS

RULE_NAMES = {
    ALONE: "by itself",
    EITHER: "supported if both say so",
    BOTH: "error if both say so",
    MAJORITY: "majority",
    CASCADE: "cascade",
}
COLUMNS = (
    "combination",
    "rule",
    "f1",
    "f1_low",
    "f1_high",
    "precision",
    "recall",
    "balanced_accuracy",
    "balanced_accuracy_low",
    "balanced_accuracy_high",
    "n",
    "predicted",
    "unparsed",
    "missing",
    "coverage",
    "f1_worst",
    "f1_best",
    "asked",
    "price",
    "on_front",
    "f1_pessimistic",
    "f1_pessimistic_low",
    "f1_pessimistic_high",
    "unranked",
)


@dataclass(frozen=True)
class CombinationRow:
    """A row of the page's table. within: it costs no more than the limit, None where there is no limit. front: its
    number on the front, as the chart has it; None: it is not there."""

    measured: MeasuredCombination
    name: str
    rule: str
    baseline: bool
    within: bool | None
    front: int | None = None

    @property
    def balanced_accuracy(self) -> float | None:
        """With what is left open counted as wrong."""
        bounds = self.measured.figures["balanced_accuracy_bounds_with_missing"]
        return bounds[0] if bounds else None

    @property
    def is_partial(self) -> bool:
        """Whether units were left open."""
        return bool(self.measured.figures["unparsed"] or self.measured.figures["missing"])

    @property
    def why(self) -> dict[str, str]:
        """The reason of each undefined figure, by figure."""
        return {figure: self.measured.figures["undefined"].get(figure, "not known") for figure in METRICS}


def name_of(measured: MeasuredCombination) -> str:
    """The members as they are asked: one after the other in a cascade, else together."""
    return (" → " if measured.rule == CASCADE else " + ").join(measured.members)


def rows_of(outcomes: Sequence[MeasuredCombination], state: CombinationsState) -> list[CombinationRow]:
    """The combinations to show, in the chosen order; undefined and unknown figures come last either way.

    In an order by a figure those that decide too little come after the others.
    """
    numbers = number_front(outcomes)
    selected = [each for each in outcomes if _is_selected(each, state)]
    rows = [replace(row_of(each, state), front=numbers.get((each.rule, each.members))) for each in selected]
    key, falling = state.order.removeprefix("-"), state.order.startswith("-")
    defined = [row for row in rows if _value(row, key) is not None]
    defined.sort(key=lambda row: _value(row, key), reverse=falling)
    in_order = defined + [row for row in rows if _value(row, key) is None]
    return sorted(in_order, key=lambda row: row.measured.unranked is not None) if key in METRICS else in_order


def number_front(outcomes: Sequence[MeasuredCombination]) -> dict[tuple[str, tuple[str, ...]], int]:
    """Numbers of the combinations on the front by rule and members, from 1 as the price rises."""
    front = sorted((each for each in outcomes if each.on_front), key=lambda each: (each.price or 0, each.members))
    return {(each.rule, each.members): number for number, each in enumerate(front, start=1)}


def baseline_rows(baselines: Sequence[MeasuredCombination], state: CombinationsState) -> list[CombinationRow]:
    return [row_of(each, state, baseline=True) for each in baselines]


def row_of(measured: MeasuredCombination, state: CombinationsState, *, baseline: bool = False) -> CombinationRow:
    within = None if state.limit is None else measured.price is not None and measured.price <= state.limit
    rule = "trivial baseline" if baseline else RULE_NAMES[measured.rule]
    return CombinationRow(measured, name_of(measured), rule, baseline, within)


def _is_selected(measured: MeasuredCombination, state: CombinationsState) -> bool:
    if state.rule and measured.rule != state.rule:
        return False
    if state.view == "front":
        return measured.on_front
    return state.view != "within" or state.limit is None or (measured.price or 0) <= state.limit


def _value(row: CombinationRow, key: str) -> Any:
    values: dict[str, Callable[[], Any]] = {
        "name": lambda: row.name.casefold(),
        "price": lambda: row.measured.price,
        "f1": lambda: row.measured.f1,
        "balanced_accuracy": lambda: row.balanced_accuracy,
    }
    return values[key]()


# Printed titles.
PRINTED = {"combination": "Combination", "rule": "Rule", "f1_pessimistic": "F1", "asked": "Asked of the last"}
OTHERS = {
    "f1": "F1 of decided units",
    "precision": "Precision",
    "recall": "Recall",
    "balanced_accuracy": "Balanced accuracy",
    "predicted": "Decided",
    "unparsed": "Unparsed",
    "missing": "Missing",
    "f1_worst": "F1, worst",
    "f1_best": "F1, best",
    "unranked": "Not ranked because",
}


def table_of(rows: Sequence[CombinationRow], state: CombinationsState, unit: str, data: str) -> Table:
    """data: data set, gold and units in words."""
    title = f"Combinations of evaluators: quality, and price of a thousand {unit}s"
    money = "US dollars" if state.currency == DOLLARS else "tokens"
    n = f" (n = {rows[0].measured.figures['n']:,})" if rows else ""
    caption = (
        f"F1 of combinations of evaluators on {data}{n}, with {intervals_of()}, and the price of a thousand {unit}s in "
        f"{money}. {UNDECIDED} Combinations are not tested; those on the front have a number."
    )
    kept = {**PRINTED, "price": f"Price, {money}", "coverage": "Coverage", "on_front": "Front"}
    printed = PrintedTable(kept, caption, titles=OTHERS)
    return Table("combinations", title, COLUMNS, [_cells(row) for row in rows], printed)


def _cells(row: CombinationRow) -> list[Any]:
    figures = row.measured.figures
    known: dict[str, Any] = {
        **figures,
        "combination": row.name,
        "rule": row.rule,
        "asked": row.measured.share,
        "price": row.measured.price,
        "on_front": row.front,
    }
    for figure in ("f1", "balanced_accuracy"):
        known[f"{figure}_low"], known[f"{figure}_high"] = known[f"{figure}_interval"] or (None, None)
    known["f1_worst"], known["f1_best"] = figures["f1_bounds"] or (None, None)
    known["f1_pessimistic"], known["unranked"] = row.measured.f1, row.measured.unranked
    known["f1_pessimistic_low"], known["f1_pessimistic_high"] = row.measured.f1_interval or (None, None)
    return [known[column] for column in COLUMNS]


def chart_of(
    outcomes: Sequence[MeasuredCombination],
    baselines: Sequence[MeasuredCombination],
    human: float | None,
    state: CombinationsState,
    unit: str,
) -> Chart:
    """Price against F1, the front joined. Combinations of unknown price cannot be drawn, and the words say how many."""
    drawn = [each for each in outcomes if each.price is not None and each.f1 is not None and not each.unranked]
    numbers = number_front(outcomes)
    rows = [
        _point(each, numbers.get((each.rule, each.members)))
        for each in sorted(drawn, key=lambda each: (each.price or 0, each.f1))
    ]
    front = [row for row in rows if row["front"] is not None]
    money = "US dollars" if state.currency == DOLLARS else "tokens"
    spec = scatter(
        rows,
        Axis("price", f"Price of a thousand {unit}s, {money}"),
        Axis("f1", "F1 of finding errors"),
        label="label",
        series="rule",
        front=front,
        references=references_of(baselines, human),
    )
    without = len(outcomes) - len(drawn)
    left_out = f", {without} are not, as price or F1 is not known or they decide too little" if without else ""
    words = (
        f"Each point is a combination of evaluators: its price to the right, its F1 upwards. {len(rows)} are drawn"
        f"{left_out}. "
        f"{len(front)} stand on the front, where no other is as cheap and better: "
        + "; ".join(
            f"{row['front']}: {row['combination']} ({row['rule']}), price {row['price']:.4g}, F1 {row['f1']:.3f}"
            for row in front
        )
        + ". Level lines: the trivial baselines"
        + (", and one annotator against the other." if human is not None else ".")
    )
    return Chart("price-f1", "Price against F1", words, spec, rows)


def references_of(baselines: Sequence[MeasuredCombination], human: float | None) -> list[ReferenceLine]:
    lines = [ReferenceLine(name_of(each), each.figures["f1"]) for each in baselines if each.figures["f1"] is not None]
    return [*lines, ReferenceLine("one annotator against the other", human, "human")]


def _point(measured: MeasuredCombination, front: int | None) -> dict[str, Any]:
    low, high = measured.f1_interval or (None, None)
    return {
        "combination": name_of(measured),
        "rule": RULE_NAMES[measured.rule],
        "price": measured.price,
        "f1": measured.f1,
        "low": low,
        "high": high,
        "front": front,
        "label": "" if front is None else str(front),
    }


def always_error(baselines: Sequence[MeasuredCombination]) -> float | None:
    """The F1 of calling everything an error, which any combination has to beat."""
    f1s = (each.figures["f1"] for each in baselines if each.members == (ALWAYS_NOT_SUPPORTED,))
    return next(f1s, None)
