"""The parts of charts: rows as data, axes, and the encodings of series."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluators.charts.chart import Row
from evaluators.charts.theme import DASHES, SHAPES

if TYPE_CHECKING:
    import altair as alt

ROWS = "rows"
# How large a line is in a legend, that its dashes show.
LINE_SIZE = 400


@dataclass(frozen=True)
class Axis:
    """column: of the rows. domain: the ends of the axis, None: those of the data. format: of its numbers (d3)."""

    column: str
    title: str
    domain: tuple[float, float] | None = None
    logarithmic: bool = False
    format: str = "~g"


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

    return alt.Axis(format=axis.format, tickCount=4) if axis.logarithmic else alt.Axis(format=axis.format)


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

    return alt.StrokeDash(f"{series}:N", scale=alt.Scale(domain=names, range=_repeat(DASHES, names)), title=None)


def shape_of(series: str, names: list[str]) -> "alt.Shape":
    import altair as alt

    return alt.Shape(f"{series}:N", scale=alt.Scale(domain=names, range=_repeat(SHAPES, names)), title=None)


def _repeat(marks: list[Any], names: list[str]) -> list[Any]:
    return [marks[place % len(marks)] for place in range(len(names))]


def distinct(rows: Sequence[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def without(encodings: dict[str, Any], *channels: str) -> dict[str, Any]:
    return {channel: encoding for channel, encoding in encodings.items() if channel not in channels}
