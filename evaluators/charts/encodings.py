"""The parts of charts: rows as data, axes, and the encodings of series."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluators.charts.chart import Row
from evaluators.charts.theme import COLOURS, DASHES, SHAPES

if TYPE_CHECKING:
    import altair as alt

ROWS = "rows"
# How large a line is in a legend, that its dashes show.
LINE_SIZE = 400
# The share of an upright axis that a note needs.
FOOT = 0.06


@dataclass(frozen=True)
class Axis:
    """column: of the rows. domain: the ends of the axis, None: those of the data. format: of its numbers (d3).

    zero_at: where 0 stands left of a break of a logarithmic axis; None: it has no such place.
    """

    column: str
    title: str
    domain: tuple[float, float] | None = None
    logarithmic: bool = False
    format: str = "~g"
    zero_at: float | None = None


def at_the_foot(axis: Axis, value: float) -> bool:
    """Whether a note under a level rule would stand among the numbers of the other axis: it stands over the rule."""
    if axis.domain is None or axis.logarithmic:
        return False
    low, high = axis.domain
    return value - low < FOOT * (high - low)


def layer_of_rows() -> "alt.Chart":
    """A layer of the rows; they come in when all is put together (_finish): on the way they would be copied often."""
    import altair as alt

    return alt.Chart(alt.NamedData(name=ROWS))


def data_of(rows: Sequence[Row]) -> dict[str, Any]:
    """A few rows of a layer's own."""
    return {"values": in_order(rows)}


def in_order(rows: Sequence[Row]) -> list[Row]:
    return [{"place": place, **row} for place, row in enumerate(rows)]


def x_of(axis: Axis, column: str | None = None) -> "alt.X":
    import altair as alt

    return alt.X(f"{column or axis.column}:Q", title=axis.title, scale=_scale(axis), axis=_ticks(axis))


def y_of(axis: Axis, column: str | None = None) -> "alt.Y":
    import altair as alt

    return alt.Y(f"{column or axis.column}:Q", title=axis.title, scale=_scale(axis), axis=_ticks(axis))


def _ticks(axis: Axis) -> "alt.Axis":
    import altair as alt

    if axis.zero_at is not None and axis.domain is not None:
        # Above 0 stand powers of ten; what is left of the break is written as 0.
        values = [axis.zero_at, *powers_of_ten(axis.zero_at * 2, axis.domain[1])]
        written = f"datum.value <= {axis.zero_at * 1.001} ? '0' : format(datum.value, '{axis.format}')"
        return alt.Axis(values=values, labelExpr=written)
    return alt.Axis(format=axis.format, tickCount=4) if axis.logarithmic else alt.Axis(format=axis.format)


def powers_of_ten(low: float, high: float) -> list[float]:
    """Those from one end to the other."""
    return [10.0**power for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]


def _scale(axis: Axis) -> "alt.Scale":
    import altair as alt

    if axis.domain is None:
        return alt.Scale(type="log") if axis.logarithmic else alt.Scale(zero=False)
    return alt.Scale(type="log" if axis.logarithmic else "linear", domain=list(axis.domain), nice=False)


def colour_of(series: str, names: list[str], *, lines: bool = False) -> "alt.Color":
    """Colours of a series with their legend: an entry is a line, dashes and all, where the chart draws lines."""
    import altair as alt

    # All at once: Altair's methods that set one property of a channel are shared between threads.
    channel: dict[str, Any] = {"shorthand": f"{series}:N", "scale": alt.Scale(domain=names), "title": None}
    if lines:
        channel["legend"] = alt.Legend(symbolType="stroke", symbolFillColor="transparent", symbolSize=LINE_SIZE)
    return alt.Color(**channel)


def dash_of(series: str, names: list[str]) -> "alt.StrokeDash":
    import altair as alt

    return alt.StrokeDash(f"{series}:N", scale=alt.Scale(domain=names, range=_turned(DASHES, names)), title=None)


def shape_of(series: str, names: list[str]) -> "alt.Shape":
    import altair as alt

    return alt.Shape(f"{series}:N", scale=alt.Scale(domain=names, range=_turned(SHAPES, names)), title=None)


def _turned(marks: list[Any], names: list[str]) -> list[Any]:
    """A mark for each series: shifted by one with each turn through the colours, so that no series has colour and mark
    of another."""
    return [marks[(place + place // COLOURS) % len(marks)] for place in range(len(names))]


def distinct(rows: Sequence[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def without(encodings: dict[str, Any], *channels: str) -> dict[str, Any]:
    return {channel: encoding for channel, encoding in encodings.items() if channel not in channels}
