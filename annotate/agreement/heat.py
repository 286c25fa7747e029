"""Every pair of annotators as a table: the figure in the cell, and how dark the cell is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Lower ends of the steps after the first.
STEPS = (0.2, 0.4, 0.6, 0.8)


@dataclass(frozen=True)
class HeatCell:
    """A pair's figure, None (with the reason) where it is undefined. `step`: 0 to 4, the higher the more agreement."""

    figure: float | None
    why: str
    n: int
    step: int | None
    interval: Sequence[float] | None


@dataclass(frozen=True)
class HeatRow:
    """`cells` beside each annotator's name: None for themselves, and for who shares no unit with them."""

    annotator: str
    cells: tuple[tuple[str, HeatCell | None], ...]


def heat_map(pairs: Sequence[dict[str, Any]], values: str, figure: str) -> list[HeatRow]:
    """The heat map of `agreement`'s pairs: annotators by name, each against each, one figure of one kind of values."""
    cells = {frozenset(row["annotators"]): _cell(row, figure) for row in pairs if row["values"] == values}
    names = sorted({name for row in pairs for name in row["annotators"]})
    return [HeatRow(name, tuple((other, cells.get(frozenset((name, other)))) for other in names)) for name in names]


def _cell(row: dict[str, Any], figure: str) -> HeatCell:
    value: float | None = row[figure]
    return HeatCell(
        value,
        row["undefined"].get(figure, ""),
        row["n"],
        None if value is None else sum(value >= step for step in STEPS),
        row["intervals"].get(figure),
    )
