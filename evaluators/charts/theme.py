"""The look of every chart, light and dark, wide and narrow: Vega-Lite's configuration.

Specifications name roles (the styles "reference", "identity", "front", "note", "label") and no colours. The colours of
series differ also under the common kinds of colour blindness, stand out from the sheet by 3 : 1 at least, and come
with a shape (points) or a dash (lines).
"""

import json
from dataclasses import dataclass
from typing import Any

from evaluators.charts.chart import Spec
from evaluators.charts.font import FAMILY
from evaluators.charts.sizes import (
    LABEL_WIDTHS,
    LINE_HEIGHT,
    MOST_LINES,
    NAME_WIDTHS,
    NARROW,
    NARROW_ENTRIES,
    TEXT_SIZE,
    WIDE,
    WIDE_ENTRIES,
    Lines,
    entry_width,
    height_of,
    lines_of_entries,
    lines_of_names,
    most_lines,
    size_of,
)

# The family of font.py; the others have letters that it lacks.
FONT = f"{FAMILY}, Liberation Sans, Arial, Helvetica, sans-serif"
# Series that one drawing keeps apart; more are drawn as further charts (marks.facets).
MOST_SERIES = 24
# More points are named by a legend: on a telephone their labels would be cut to nothing.
MOST_LABELS = 12

SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]]
DASHED, SOLID = [5, 4], [1, 0]
# Channels with a legend.
LEGENDS = {"color", "shape", "strokeDash"}


@dataclass(frozen=True)
class Palette:
    """sheet: background; ink: text; soft: titles and references; line: the grid; series: one colour each."""

    sheet: str
    ink: str
    soft: str
    line: str
    series: tuple[str, ...]


LIGHT = Palette(
    sheet="#ffffff",
    ink="#1d1f21",
    soft="#585d63",
    line="#e6e3db",
    series=("#0072b2", "#c24e00", "#00795a", "#9c3d7b", "#7a5c00", "#4a4f55"),
)
DARK = Palette(
    sheet="#1d1f23",
    ink="#e8e6e1",
    soft="#a9aeb5",
    line="#33373d",
    series=("#56b4e9", "#ff9a6b", "#5fd0b3", "#e69fcb", "#e3c05a", "#c9cdd3"),
)
COLOURS = len(LIGHT.series)


def dressed(spec: Spec, *, dark: bool, narrow: bool) -> Spec:
    """The specification with its theme and size: whole, and the same wherever it is drawn."""
    placed = [_with_label_place(layer, spec, narrow=narrow) for layer in spec["layer"]]
    return {
        **spec,
        "layer": [_with_words(layer, spec, narrow=narrow) for layer in placed],
        "width": NARROW if narrow else WIDE,
        "height": height_of(spec, narrow=narrow),
        "autosize": {"type": "fit", "contains": "padding"},
        "config": configuration(DARK if dark else LIGHT, narrow, entry_width(spec, narrow=narrow)),
    }


def _with_label_place(layer: Spec, spec: Spec, *, narrow: bool) -> Spec:
    """The layer of a label or of its line with its place in a drawing of this size (labels.py); any other as it is."""
    places: dict[str, dict[str, Any]] = spec["usermeta"].get("labels", {}).get(size_of(narrow=narrow), {})
    place = places.get(layer.get("name", ""))
    return {**layer, "mark": {**layer["mark"], **place}} if place else layer


def _with_words(layer: Spec, spec: Spec, *, narrow: bool) -> Spec:
    """The layer with long names beside its axis and in its legends in lines (sizes.py); any other as it is."""
    names = lines_of_names(spec, narrow=narrow)
    entries = {name: lines for legend in lines_of_entries(spec, narrow=narrow) for name, lines in legend.items()}
    channels = dict(layer["encoding"])
    if channels.get("y", {}).get("type") == "nominal" and most_lines(names) > 1:
        channels["y"] = {**channels["y"], "axis": {**channels["y"]["axis"], **_in_lines(names)}}
    if most_lines(entries) > 1:
        for name in LEGENDS & channels.keys():
            legend = {**channels[name].get("legend", {}), "labelExpr": _lines_of_label(entries)}
            channels[name] = {**channels[name], "legend": legend}
    return {**layer, "encoding": channels}


def _in_lines(names: Lines) -> dict[str, Any]:
    """The labels of an axis. The engine puts the first line at the row: moved up, the lines stand around it."""
    lines = _lines_of_label(names)
    upwards = [
        {"test": f"{lines}.length === {count}", "value": -(count - 1) * LINE_HEIGHT / 2}
        for count in range(2, MOST_LINES + 1)
    ]
    return {"labelExpr": lines, "labelOffset": {"condition": upwards, "value": 0}}


def _lines_of_label(lines: Lines) -> str:
    """A Vega expression."""
    return f"{json.dumps(lines)}[datum.label]"


def configuration(colours: Palette, narrow: bool, entry: float) -> dict[str, Any]:
    """Vega-Lite's `config`. A narrow drawing breaks and cuts long names sooner: the tables hold them whole.

    entry: pixels for the words of an entry of a legend.
    """
    size = size_of(narrow=narrow)
    text = {"labelFont": FONT, "titleFont": FONT, "labelFontSize": TEXT_SIZE, "titleFontSize": TEXT_SIZE}
    return {
        "background": colours.sheet,
        "padding": 6,
        "font": FONT,
        "axis": {
            **text,
            "labelColor": colours.ink,
            "titleColor": colours.soft,
            "titleFontWeight": "normal",
            "domainColor": colours.soft,
            "tickColor": colours.soft,
            "gridColor": colours.line,
            "labelLimit": NAME_WIDTHS[size],
            "labelLineHeight": LINE_HEIGHT,
            "titlePadding": 6,
            "labelPadding": 5,
        },
        # Not pushed inwards: the last number would touch the one before it.
        "axisX": {"tickCount": 5 if narrow else 10, "labelFlush": False},
        "legend": {
            **text,
            "labelColor": colours.ink,
            "orient": "top",
            "direction": "horizontal",
            "columns": NARROW_ENTRIES if narrow else WIDE_ENTRIES,
            "labelLimit": entry,
            "symbolSize": 90,
            "symbolStrokeWidth": 2,
            "rowPadding": 3,
            "columnPadding": 18,
            "offset": 8,
            "layout": {"top": {"anchor": "start", "bounds": "full", "direction": "vertical", "margin": 6}},
        },
        "view": {"stroke": None},
        "range": {"category": list(colours.series)},
        "point": {"filled": True, "opacity": 1, "size": 80, "color": colours.ink},
        "rule": {"strokeWidth": 2, "color": colours.ink},
        "bar": {"color": colours.series[0], "opacity": 0.7},
        "line": {"strokeWidth": 2},
        "text": {"font": FONT, "fontSize": TEXT_SIZE, "color": colours.ink},
        "style": {
            "reference": {"color": colours.soft, "strokeWidth": 1.5},
            "identity": {"color": colours.soft, "strokeWidth": 1, "opacity": 0.7},
            "front": {"color": colours.ink, "strokeWidth": 1.5, "strokeDash": DASHES[1]},
            "note": {"color": colours.soft, "align": "left", "baseline": "top", "dx": 4, "dy": 4},
            "note-above": {"color": colours.soft, "align": "left", "baseline": "bottom", "dx": 4, "dy": -4},
            "note-before": {"color": colours.soft, "angle": 270, "align": "right", "baseline": "bottom", "dy": -4},
            "note-after": {"color": colours.soft, "angle": 270, "align": "right", "baseline": "top", "dy": 4},
            "leader": {"color": colours.soft, "opacity": 0.8},
            "label": {"baseline": "middle", "limit": LABEL_WIDTHS[size]},
            "break": {"color": colours.soft, "baseline": "middle", "fontSize": TEXT_SIZE + 2},
        },
    }
