"""The kinds of chart that the pages draw, so that all of them look alike: Vega-Lite specifications, made with Altair.

Rows are plain dictionaries (chart.py); a kind is told which columns to draw. A value of None is not drawn, and its row
keeps its place. Altair is imported when the first chart is made: most pages have none.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from evaluators.charts.chart import Row, Spec
from evaluators.charts.theme import DASHED, DASHES, SHAPES, SOLID

if TYPE_CHECKING:
    import altair as alt

ROW_HEIGHT = 26
SERIES_HEIGHT = 14
AXIS_HEIGHT = 50
PLANE_HEIGHT = 380
# How large a line is in a legend, that its dashes show.
LINE_SIZE = 400
DASH_OF = {"trivial": DASHED, "human": SOLID}


@dataclass(frozen=True)
class Axis:
    """column: of the rows. domain: the ends of the axis, None: those of the data. format: of its numbers (d3)."""

    column: str
    title: str
    domain: tuple[float, float] | None = None
    logarithmic: bool = False
    format: str = "~g"


@dataclass(frozen=True)
class Reference:
    """A rule to read a chart against; none where its value is None. Dashed for what is trivial, solid for people.

    name: with its figure, and of at most 30 characters, or a narrow drawing cuts it.
    """

    name: str
    value: float | None
    kind: Literal["trivial", "human"] = "trivial"


def dots(
    rows: Sequence[Row],
    name: str,
    value: Axis,
    ends: tuple[str, str] = ("low", "high"),
    references: Iterable[Reference] = (),
    series: str | None = None,
) -> Spec:
    """A dot for each row beside its name, from top to bottom, on a whisker from one end of its interval to the other.

    series: the column that tells dots of one name apart, by colour, shape and height.
    """
    named, apart = _named(rows, name, series)
    whiskers = named.mark_rule().encode(x=_x(value, ends[0]), x2=ends[1], **_without(apart, "shape"))
    points = named.mark_point().encode(x=_x(value), **apart)
    rules, drawn = _upright(value, references)
    return _finish([*rules, whiskers, points], _height(rows, name, series), [_entries(rows, series), drawn])


def bars(
    rows: Sequence[Row],
    name: str,
    value: Axis,
    ends: tuple[str, str] | None = ("low", "high"),
    references: Iterable[Reference] = (),
    series: str | None = None,
) -> Spec:
    """A bar from 0 for each row beside its name, with a whisker over its interval; `ends` None: it has none."""
    named, apart = _named(rows, name, series)
    layers = [named.mark_bar(height={"band": 0.7}).encode(x=_x(value), **_without(apart, "shape"))]
    if ends is not None:
        beside = _without(apart, "shape", "color")
        layers.append(named.mark_rule().encode(x=_x(value, ends[0]), x2=ends[1], **beside))
    rules, drawn = _upright(value, references)
    return _finish([*layers, *rules], _height(rows, name, series), [_entries(rows, series), drawn])


def lines(
    rows: Sequence[Row],
    x: Axis,
    y: Axis,
    series: str,
    ends: tuple[str, str] | None = None,
    references: Iterable[Reference] = (),
    upright: Iterable[Reference] = (),
    *,
    points: bool = False,
    identity: bool = False,
) -> Spec:
    """A line a series, told apart by colour and dash, through its rows in their order; `ends`: of a band around it.

    references: level rules; upright: upright ones. points: the rows are few, and each is marked by a shape instead.
    identity: y = x is drawn.
    """
    import altair as alt

    names = _distinct(rows, series)
    base = alt.Chart(_data(rows)).encode(x=_x(x), y=_y(y), color=_colour(series, names))
    layers: list[alt.Chart] = [_diagonal(x, y)] if identity else []
    line = base.mark_line().encode(order="place:Q")
    if points:
        layers += [line, base.mark_point().encode(shape=_shape(series, names))]
    else:
        layers.append(line.encode(color=_colour(series, names, lines=True), strokeDash=_dash(series, names)))
    if ends is not None:  # after the lines: the legend looks like what comes first
        layers.append(base.mark_area(opacity=0.15, clip=True).encode(y=_y(y, ends[0]), y2=ends[1]))
    rules = [*_level(y, references), *_standing(x, upright)]
    return _finish([*rules, *layers], PLANE_HEIGHT, [len(names)])


def scatter(
    rows: Sequence[Row],
    x: Axis,
    y: Axis,
    label: str | None = None,
    series: str | None = None,
    front: Sequence[Row] = (),
    references: Iterable[Reference] = (),
    *,
    identity: bool = False,
) -> Spec:
    """A point a row, with its `label` beside it; `front`: rows joined by a dashed line, as those of a Pareto front."""
    import altair as alt

    base = alt.Chart(_data(rows)).encode(x=_x(x), y=_y(y))
    names = _distinct(rows, series) if series else []
    apart = {"color": _colour(series, names), "shape": _shape(series, names)} if series else {}
    layers: list[alt.Chart] = [_diagonal(x, y)] if identity else []
    if front:
        layers.append(alt.Chart(_data(front)).mark_line(style="front").encode(x=_x(x), y=_y(y), order="place:Q"))
    layers.append(base.mark_point().encode(**apart))
    if label:
        layers += _labels(rows, x, y, label)
    return _finish([*_level(y, references), *layers], PLANE_HEIGHT, [len(names)])


def _labels(rows: Sequence[Row], x: Axis, y: Axis, label: str) -> list["alt.Chart"]:
    """What is written beside the points: after those of the left half, before those of the right."""
    import altair as alt

    drawn = [row for row in rows if row[x.column] is not None and (row[x.column] > 0 or not x.logarithmic)]
    places = [math.log(row[x.column]) if x.logarithmic else row[x.column] for row in drawn]
    middle = (min(places, default=0) + max(places, default=0)) / 2
    sides: dict[str, list[Row]] = {"label": [], "label-before": []}
    for row, place in zip(drawn, places, strict=True):
        sides["label" if place <= middle else "label-before"].append(row)
    return [
        alt.Chart(_data(side)).mark_text(style=style).encode(x=_x(x), y=_y(y), text=f"{label}:N")
        for style, side in sides.items()
        if side
    ]


def _named(rows: Sequence[Row], name: str, series: str | None) -> tuple["alt.Chart", dict[str, Any]]:
    """The rows by name from top to bottom, and the encodings that tell the series apart."""
    import altair as alt

    by_name = alt.Y(f"{name}:N", sort=_distinct(rows, name), title=None, axis=alt.Axis(grid=True, ticks=False))
    base = alt.Chart(_data(rows)).encode(y=by_name)
    if series is None:
        return base, {}
    names = _distinct(rows, series)
    beside = alt.YOffset(f"{series}:N", sort=names)
    return base, {"color": _colour(series, names), "shape": _shape(series, names), "yOffset": beside}


def _height(rows: Sequence[Row], name: str, series: str | None) -> int:
    beside = _entries(rows, series)
    return AXIS_HEIGHT + len(_distinct(rows, name)) * max(ROW_HEIGHT, SERIES_HEIGHT * beside + 8)


def _entries(rows: Sequence[Row], series: str | None) -> int:
    """How many entries the legend has."""
    return len(_distinct(rows, series)) if series else 0


def _upright(value: Axis, references: Iterable[Reference]) -> tuple[list["alt.Chart"], int]:
    """References as upright rules, and how many entries they have in their legend."""
    import altair as alt

    drawn = [each for each in references if each.value is not None]
    if not drawn:
        return [], 0
    names = [each.name for each in drawn]
    scale = alt.Scale(domain=names, range=[DASH_OF[each.kind] for each in drawn])
    rules = [{value.column: each.value, "reference": each.name} for each in drawn]
    dash = alt.StrokeDash("reference:N", scale=scale, title=None, legend=alt.Legend(symbolSize=LINE_SIZE))
    return [alt.Chart(_data(rules)).mark_rule(style="reference").encode(x=_x(value), strokeDash=dash)], len(drawn)


def _level(value: Axis, references: Iterable[Reference]) -> list["alt.Chart"]:
    """References as level rules, each with its name written under its left end."""
    import altair as alt

    layers = []
    for each in references:
        if each.value is None:
            continue
        base = alt.Chart(_data([{value.column: each.value, "reference": each.name}])).encode(y=_y(value))
        layers.append(base.mark_rule(style="reference", strokeDash=DASH_OF[each.kind]))
        layers.append(base.mark_text(style="note", x=0).encode(text="reference:N"))
    return layers


def _standing(value: Axis, references: Iterable[Reference]) -> list["alt.Chart"]:
    """References as upright rules, each with its name written along it: the first before it, the others after it."""
    import altair as alt

    layers = []
    for place, each in enumerate(each for each in references if each.value is not None):
        base = alt.Chart(_data([{value.column: each.value, "reference": each.name}])).encode(x=_x(value))
        layers.append(base.mark_rule(style="reference", strokeDash=DASH_OF[each.kind]))
        style = "note-after" if place else "note-before"
        layers.append(base.mark_text(style=style, y=0).encode(text="reference:N"))
    return layers


def _diagonal(x: Axis, y: Axis) -> "alt.Chart":
    import altair as alt

    low, high = x.domain or (0, 1)
    ends = [{x.column: low, y.column: low}, {x.column: high, y.column: high}]
    drawn: alt.Chart = alt.Chart(_data(ends)).mark_line(style="identity").encode(x=_x(x), y=_y(y))
    return drawn


def _finish(layers: list["alt.Chart"], height: int, legends: list[int]) -> Spec:
    """The layers as a specification; how many entries its legends have goes with it, to find its height when drawn."""
    import altair as alt

    spec: Spec = alt.layer(*layers).properties(height=height, usermeta={"legends": legends}).to_dict()
    spec.pop("config", None)
    return spec


def _data(rows: Sequence[Row]) -> "alt.InlineData":
    import altair as alt

    return alt.InlineData(values=[{"place": place, **row} for place, row in enumerate(rows)])


def _x(axis: Axis, column: str | None = None) -> "alt.X":
    import altair as alt

    return alt.X(f"{column or axis.column}:Q", title=axis.title, scale=_scale(axis), axis=_ticks(axis))


def _y(axis: Axis, column: str | None = None) -> "alt.Y":
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


def _colour(series: str, names: list[str], *, lines: bool = False) -> "alt.Color":
    import altair as alt

    colour = alt.Color(f"{series}:N", scale=alt.Scale(domain=names), title=None)
    if not lines:
        return colour
    return colour.legend(symbolType="stroke", symbolFillColor="transparent", symbolSize=LINE_SIZE)


def _dash(series: str, names: list[str]) -> "alt.StrokeDash":
    import altair as alt

    return alt.StrokeDash(f"{series}:N", scale=alt.Scale(domain=names, range=_repeat(DASHES, names)), title=None)


def _shape(series: str, names: list[str]) -> "alt.Shape":
    import altair as alt

    return alt.Shape(f"{series}:N", scale=alt.Scale(domain=names, range=_repeat(SHAPES, names)), title=None)


def _repeat(marks: list[Any], names: list[str]) -> list[Any]:
    return [marks[place % len(marks)] for place in range(len(names))]


def _distinct(rows: Sequence[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row[column] for row in rows))


def _without(encodings: dict[str, Any], *channels: str) -> dict[str, Any]:
    return {channel: encoding for channel, encoding in encodings.items() if channel not in channels}
