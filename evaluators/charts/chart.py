"""A chart: its drawing, and its description for readers who cannot see it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# A Vega-Lite specification, and a row of its data: plain values by column, None where one is undefined.
Spec = dict[str, Any]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Chart:
    """A single or layered view (marks.py makes them), without colours: those come with the theme when it is drawn.

    name: a slug, its place in addresses and file names. title: a heading. description: the drawing in words.
    spec: its "height" is that of the drawing in pixels without legends and rows of names; these and the width come when
    it is drawn, so that a chart reads on a telephone too. rows: the data behind it, which the CSV holds, column by
    column as in the first row.
    """

    name: str
    title: str
    description: str
    spec: Spec
    rows: Sequence[Row]


def with_ends(name: str, value: float | None, interval: Iterable[float] | None) -> Row:
    """A figure under its name, and the ends of its interval as `low` and `high`; None where there is none."""
    low, high = interval if interval is not None else (None, None)
    return {name: value, "low": low, "high": high}


def name_of_part(name: str, place: int) -> str:
    """The name of one of several drawings of a chart, counted from 1; the first has the chart's own."""
    return name if place == 1 else f"{name}-{place}"
