"""The kinds of chart that the pages draw, so that all of them look alike: Vega-Lite specifications, made with Altair.

Rows are plain dictionaries (chart.py); a kind takes the names of its columns. A value of None is not drawn, and its row
keeps its place. Altair is imported when the first chart is made: most pages have none.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from evaluators.charts.chart import Row, Spec
from evaluators.charts.encodings import (
    ROWS,
    Axis,
    colour_of,
    dash_of,
    data_of,
    distinct,
    in_order,
    layer_of_rows,
    shape_of,
    without,
    x_of,
    y_of,
)
from evaluators.charts.references import ReferenceLine, diagonal, level_rules, named_upright_rules, upright_rules

if TYPE_CHECKING:
    import altair as alt

ROW_HEIGHT = 26
SERIES_HEIGHT = 14
AXIS_HEIGHT = 50
PLANE_HEIGHT = 380

__all__ = ["Axis", "ReferenceLine", "bars", "dots", "lines", "scatter"]


def dots(
    rows: Sequence[Row],
    name: str,
    value: Axis,
    ends: tuple[str, str] = ("low", "high"),
    references: Iterable[ReferenceLine] = (),
    series: str | None = None,
) -> Spec:
    """A dot for each row beside its name, from top to bottom, on a whisker from one end of its interval to the other.

    series: the column that tells dots of one name apart, by colour, shape and height.
    """
    named, apart = _named(rows, name, series)
    whiskers = named.mark_rule().encode(x=x_of(value, ends[0]), x2=ends[1], **without(apart, "shape"))
    points = named.mark_point().encode(x=x_of(value), **apart)
    rules, drawn = upright_rules(value, references)
    return _finish([*rules, whiskers, points], rows, _height(rows, name, series), [_entries(rows, series), drawn])


def bars(
    rows: Sequence[Row],
    name: str,
    value: Axis,
    ends: tuple[str, str] | None = ("low", "high"),
    references: Iterable[ReferenceLine] = (),
    series: str | None = None,
) -> Spec:
    """A bar from 0 for each row beside its name, with a whisker over its interval; `ends` None: it has none."""
    named, apart = _named(rows, name, series)
    layers = [named.mark_bar(height={"band": 0.7}).encode(x=x_of(value), **without(apart, "shape"))]
    if ends is not None:
        beside = without(apart, "shape", "color")
        layers.append(named.mark_rule().encode(x=x_of(value, ends[0]), x2=ends[1], **beside))
    rules, drawn = upright_rules(value, references)
    return _finish([*layers, *rules], rows, _height(rows, name, series), [_entries(rows, series), drawn])


def lines(
    rows: Sequence[Row],
    x: Axis,
    y: Axis,
    series: str,
    ends: tuple[str, str] | None = None,
    references: Iterable[ReferenceLine] = (),
    upright: Iterable[ReferenceLine] = (),
    *,
    points: bool = False,
    identity: bool = False,
) -> Spec:
    """A line a series, with its own colour and dash, through its rows in their order; `ends`: of a band around it.

    references: level rules; upright: upright ones. points: the rows are few, and each is marked by a shape instead.
    identity: y = x is drawn.
    """
    import altair as alt

    names = distinct(rows, series)
    base = layer_of_rows().encode(x=x_of(x), y=y_of(y), color=colour_of(series, names))
    layers: list[alt.Chart] = [diagonal(x, y)] if identity else []
    line = base.mark_line().encode(order="place:Q")
    if points:
        layers += [line, base.mark_point().encode(shape=shape_of(series, names))]
    else:
        layers.append(line.encode(color=colour_of(series, names, lines=True), strokeDash=dash_of(series, names)))
    if ends is not None:  # after the lines: the legend looks like the first layer
        layers.append(base.mark_area(opacity=0.15, clip=True).encode(y=y_of(y, ends[0]), y2=ends[1]))
    rules = [*level_rules(y, references), *named_upright_rules(x, upright)]
    return _finish([*rules, *layers], rows, PLANE_HEIGHT, [len(names)])


def scatter(
    rows: Sequence[Row],
    x: Axis,
    y: Axis,
    label: str | None = None,
    series: str | None = None,
    front: Sequence[Row] = (),
    references: Iterable[ReferenceLine] = (),
    *,
    ends: tuple[str, str] | None = None,
    identity: bool = False,
) -> Spec:
    """A point a row, with its `label` beside it; `front`: rows joined by a dashed line, as those of a Pareto front.

    ends: of an upright whisker through each point.
    """
    import altair as alt

    base = layer_of_rows().encode(x=x_of(x), y=y_of(y))
    names = distinct(rows, series) if series else []
    apart = {"color": colour_of(series, names), "shape": shape_of(series, names)} if series else {}
    layers: list[alt.Chart] = [diagonal(x, y)] if identity else []
    if front:
        layers.append(alt.Chart(data_of(front)).mark_line(style="front").encode(x=x_of(x), y=y_of(y), order="place:Q"))
    if ends is not None:
        layers.append(base.mark_rule().encode(y=y_of(y, ends[0]), y2=ends[1], **without(apart, "shape")))
    layers.append(base.mark_point().encode(**apart))
    if label:
        layers += _labels(rows, x, y, label)
    return _finish([*level_rules(y, references), *layers], rows, PLANE_HEIGHT, [len(names)])


def _labels(rows: Sequence[Row], x: Axis, y: Axis, label: str) -> list["alt.Chart"]:
    """The labels beside the points: after those of the left half, before those of the right."""
    import altair as alt

    drawn = [row for row in rows if row[x.column] is not None and (row[x.column] > 0 or not x.logarithmic)]
    places = [math.log(row[x.column]) if x.logarithmic else row[x.column] for row in drawn]
    middle = (min(places, default=0) + max(places, default=0)) / 2
    sides: dict[str, list[Row]] = {"label": [], "label-before": []}
    for row, place in zip(drawn, places, strict=True):
        sides["label" if place <= middle else "label-before"].append(row)
    return [
        alt.Chart(data_of(side)).mark_text(style=style).encode(x=x_of(x), y=y_of(y), text=f"{label}:N")
        for style, side in sides.items()
        if side
    ]


def _named(rows: Sequence[Row], name: str, series: str | None) -> tuple["alt.Chart", dict[str, Any]]:
    """The rows by name from top to bottom, and the encodings that tell the series apart."""
    import altair as alt

    by_name = alt.Y(f"{name}:N", sort=distinct(rows, name), title=None, axis=alt.Axis(grid=True, ticks=False))
    base = layer_of_rows().encode(y=by_name)
    if series is None:
        return base, {}
    names = distinct(rows, series)
    beside = alt.YOffset(f"{series}:N", sort=names)
    return base, {"color": colour_of(series, names), "shape": shape_of(series, names), "yOffset": beside}


def _height(rows: Sequence[Row], name: str, series: str | None) -> int:
    beside = _entries(rows, series)
    return AXIS_HEIGHT + len(distinct(rows, name)) * max(ROW_HEIGHT, SERIES_HEIGHT * beside + 8)


def _entries(rows: Sequence[Row], series: str | None) -> int:
    """The number of entries of the legend."""
    return len(distinct(rows, series)) if series else 0


def _finish(layers: list["alt.Chart"], rows: Sequence[Row], height: int, legends: list[int]) -> Spec:
    """The layers as a specification; how many entries its legends have goes with it, to find its height when drawn.

    Altair checks its parts as they are made; to check the whole again would take longer than to draw it.
    """
    import altair as alt

    chart = alt.layer(*layers).properties(height=height, usermeta={"legends": legends})
    spec: Spec = chart.to_dict(validate=False)
    spec.pop("config", None)
    return {**spec, "datasets": {**spec.get("datasets", {}), ROWS: in_order(rows)}}
