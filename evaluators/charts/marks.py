"""The kinds of chart that the pages draw, so that all of them look alike: Vega-Lite specifications, made with Altair.

Rows are plain dictionaries (chart.py); a kind takes the names of its columns. A value of None is not drawn, and its row
keeps its place. Altair is imported when the first chart is made: most pages have none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
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
from evaluators.charts.labels import PLANES, LabelPlace, break_place, domain_of, placed_labels, zero_place
from evaluators.charts.references import ReferenceLine, diagonal, level_rules, named_upright_rules, upright_rules
from evaluators.charts.theme import MOST_SERIES

if TYPE_CHECKING:
    import altair as alt

ROW_HEIGHT = 26
SERIES_HEIGHT = 14
AXIS_HEIGHT = 50
PLANE_HEIGHT = 380

# By size of the drawing and name of a layer: alignment, dx and dy.
LabelPlaces = dict[str, dict[str, dict[str, Any]]]

__all__ = ["Axis", "ReferenceLine", "bars", "dots", "facets", "lines", "scatter"]


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
    legends = [_entries(rows, series), drawn]
    return _finish([*rules, whiskers, points], rows, AXIS_HEIGHT, legends, beside=_name_rows(rows, name, series))


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
    legends = [_entries(rows, series), drawn]
    return _finish([*layers, *rules], rows, AXIS_HEIGHT, legends, beside=_name_rows(rows, name, series))


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
    """A line a series, with its own colour and dash, through its rows in their order.

    ends: of a band around the line, or of a whisker through each point.
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
        interval = base.mark_rule() if points else base.mark_area(opacity=0.15, clip=True)
        layers.append(interval.encode(y=y_of(y, ends[0]), y2=ends[1]))
    rules = [*level_rules(y, references), *named_upright_rules(x, upright)]
    return _finish([*rules, *layers], rows, PLANE_HEIGHT, [names])


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
    framed_by: Sequence[Row] | None = None,
) -> Spec:
    """A point a row, with its `label` beside it; `front`: rows joined by a dashed line, as those of a Pareto front.

    ends: of an upright whisker through each point. On a logarithmic axis a value of 0 stands left of a break.
    framed_by: the rows of all parts, where this is one of several drawings (`facets`): their axes are the same.
    """
    import altair as alt

    framing = rows if framed_by is None else framed_by
    zero = zero_place(framing, x)
    if label or framed_by is not None:
        x = replace(x, domain=domain_of(framing, x))
        references = list(references)
        levels = [{y.column: each.value} for each in references]
        y = replace(y, domain=domain_of([*framing, *levels], y))
    if zero is not None:
        broken = break_place(zero, framing, x)
        x = _with_zero(x, framing, zero)
        rows, front = ([_at_zero(row, x.column, zero) for row in each] for each in (rows, front))
    base = layer_of_rows().encode(x=x_of(x), y=y_of(y))
    names = distinct(rows, series) if series else []
    apart = {"color": colour_of(series, names), "shape": shape_of(series, names)} if series else {}
    layers: list[alt.Chart] = [diagonal(x, y)] if identity else []
    if front:
        layers.append(alt.Chart(data_of(front)).mark_line(style="front").encode(x=x_of(x), y=y_of(y), order="place:Q"))
    if ends is not None:
        layers.append(base.mark_rule().encode(y=y_of(y, ends[0]), y2=ends[1], **without(apart, "shape")))
    layers.append(base.mark_point().encode(**apart))
    if zero is not None:
        layers += _break(broken, x)
    rules = [*level_rules(y, references), *layers]
    if not label:
        return _finish(rules, rows, PLANE_HEIGHT, [names])
    labels, places = _labels(rows, x, y, label, references)
    return _finish([*rules, *labels], rows, PLANE_HEIGHT, [names], places)


def facets(rows: Sequence[Row], series: str) -> list[Sequence[Row]]:
    """The rows of as many drawings as keep their series apart: MOST_SERIES in each."""
    names = distinct(rows, series)
    groups = [set(names[first : first + MOST_SERIES]) for first in range(0, len(names), MOST_SERIES)]
    return [[row for row in rows if row[series] in group] for group in groups]


def _with_zero(x: Axis, rows: Sequence[Row], zero: float) -> Axis:
    """The axis of the rows with a place for 0."""
    low, high = domain_of(rows, x)
    return replace(x, domain=(min(zero / 1.6, low), high), zero_at=zero)


def _at_zero(row: Row, column: str, zero: float) -> Row:
    return {**row, column: zero} if row[column] == 0 else row


def _break(at: float, x: Axis) -> list["alt.Chart"]:
    """Two strokes through the axis at its break."""
    import altair as alt

    base = alt.Chart(data_of([{x.column: at, "strokes": "//"}])).encode(x=x_of(x), text="strokes:N")
    return [base.mark_text(style="break", y="height")]


def _labels(
    rows: Sequence[Row], x: Axis, y: Axis, label: str, references: Iterable[ReferenceLine]
) -> tuple[list["alt.Chart"], LabelPlaces]:
    """A layer for each label, and its places in drawings of both sizes, clear of the names of references too."""
    import altair as alt

    drawn = [row for row in rows if row[x.column] is not None and row[y.column] is not None]
    names = [f"label-{place}" for place in range(len(drawn))]
    notes = [(each.name, each.value) for each in references if each.value is not None]
    placed = {size: dict(zip(names, placed_labels(drawn, x, y, label, size, notes), strict=True)) for size in PLANES}
    layers = []
    for name, row in zip(names, drawn, strict=True):
        base = alt.Chart(data_of([row])).encode(x=x_of(x), y=y_of(y))
        if row[label] and not all(places[name].is_near for places in placed.values()):
            ends = alt.X2(field=x.column), alt.Y2(field=y.column)
            line = base.mark_rule(style="leader", strokeWidth=0.8).encode(*ends)
            layers.append(line.properties(name=f"line-of-{name}"))
        if row[label]:
            layers.append(base.mark_text(style="label").encode(text=f"{label}:N").properties(name=name))
    return layers, {size: _marks_of(places) for size, places in placed.items()}


def _marks_of(places: Mapping[str, LabelPlace]) -> dict[str, dict[str, Any]]:
    """The properties of the marks of labels, and of the lines from points to labels that are far away."""
    marks: dict[str, dict[str, Any]] = {}
    for name, place in places.items():
        marks[name] = asdict(place)
        ends = (0.0, 0.0) if place.is_near else (place.dx, place.dy)
        marks[f"line-of-{name}"] = {"x2Offset": ends[0], "y2Offset": ends[1]}
    return marks


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


def _name_rows(rows: Sequence[Row], name: str, series: str | None) -> dict[str, Any]:
    """The names beside the axis, and the least height of each one's row."""
    height = max(ROW_HEIGHT, SERIES_HEIGHT * len(_entries(rows, series)) + 8)
    return {"names": [str(each) for each in distinct(rows, name)], "row_height": height}


def _entries(rows: Sequence[Row], series: str | None) -> list[str]:
    """The entries of the legend."""
    return distinct(rows, series) if series else []


def _finish(
    layers: list["alt.Chart"],
    rows: Sequence[Row],
    height: int,
    legends: list[list[str]],
    labels: LabelPlaces | None = None,
    beside: dict[str, Any] | None = None,
) -> Spec:
    """The layers as a specification; the entries of its legends and the names beside its axis (`_name_rows`) go with
    it, to find its height when drawn (sizes.py), and the places of its labels.

    Altair checks its parts as they are made; to check the whole again would take longer than to draw it.
    """
    import altair as alt

    meta = {"legends": legends, "labels": labels or {}, **(beside or {"names": [], "row_height": 0})}
    chart = alt.layer(*layers).properties(height=height, usermeta=meta)
    spec: Spec = chart.to_dict(validate=False)
    spec.pop("config", None)
    return {**spec, "datasets": {**spec.get("datasets", {}), ROWS: in_order(rows)}}
