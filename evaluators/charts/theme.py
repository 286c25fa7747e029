"""The look of every chart, light and dark, wide and narrow: Vega-Lite's configuration.

Specifications name roles (the styles "reference", "identity", "front", "note", "label") and no colours. The colours of
series differ also under the common kinds of colour blindness, stand out from the sheet by 3 : 1 at least, and come
with a shape (points) or a dash (lines).
"""

from dataclasses import dataclass
from typing import Any

from evaluators.charts.chart import Spec
from evaluators.charts.font import FAMILY

WIDE, NARROW = 720, 340
# The family of font.py; the others have letters that it lacks.
FONT = f"{FAMILY}, Liberation Sans, Arial, Helvetica, sans-serif"
TEXT_SIZE = 13
# Entries in a row of a legend, and pixels of a row.
WIDE_ENTRIES, NARROW_ENTRIES = 2, 1
ENTRY_HEIGHT = 18
# Pixels after which a name beside an axis, and the label of a point, is cut.
NAME_WIDTHS = {"wide": 220, "narrow": 105}
LABEL_WIDTHS = {"wide": 220, "narrow": 150}
# Series that one drawing keeps apart; more are drawn as further charts (marks.facets).
MOST_SERIES = 24

SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]]
DASHED, SOLID = [5, 4], [1, 0]


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
    return {
        **spec,
        "layer": [_with_label_place(layer, spec, narrow=narrow) for layer in spec["layer"]],
        "width": NARROW if narrow else WIDE,
        "height": height_of(spec, narrow=narrow),
        "autosize": {"type": "fit", "contains": "padding"},
        "config": configuration(DARK if dark else LIGHT, narrow),
    }


def _with_label_place(layer: Spec, spec: Spec, *, narrow: bool) -> Spec:
    """The layer of a label or of its line with its place in a drawing of this size (labels.py); any other as it is."""
    places: dict[str, dict[str, Any]] = spec["usermeta"].get("labels", {}).get("narrow" if narrow else "wide", {})
    place = places.get(layer.get("name", ""))
    return {**layer, "mark": {**layer["mark"], **place}} if place else layer


def height_of(spec: Spec, *, narrow: bool) -> int:
    """The height of the drawing in pixels: that of the specification, and the rows of its legends."""
    in_a_row = NARROW_ENTRIES if narrow else WIDE_ENTRIES
    legends: list[int] = spec["usermeta"]["legends"]
    height: int = spec["height"]
    return height + ENTRY_HEIGHT * sum(-(-entries // in_a_row) for entries in legends)


def configuration(colours: Palette, narrow: bool) -> dict[str, Any]:
    """Vega-Lite's `config`. A narrow drawing cuts long names sooner: the tables hold them whole."""
    size = "narrow" if narrow else "wide"
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
            "titlePadding": 6,
            "labelPadding": 5,
        },
        "axisX": {"tickCount": 5 if narrow else 10},
        "legend": {
            **text,
            "labelColor": colours.ink,
            "orient": "top",
            "direction": "horizontal",
            "columns": NARROW_ENTRIES if narrow else WIDE_ENTRIES,
            "labelLimit": NARROW - 60 if narrow else WIDE // 2 - 60,
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
            "note-before": {"color": colours.soft, "angle": 270, "align": "right", "baseline": "bottom", "dy": -4},
            "note-after": {"color": colours.soft, "angle": 270, "align": "right", "baseline": "top", "dy": 4},
            "leader": {"color": colours.soft, "opacity": 0.8},
            "label": {"baseline": "middle", "limit": LABEL_WIDTHS[size]},
            "break": {"color": colours.soft, "baseline": "middle", "fontSize": TEXT_SIZE + 2},
        },
    }
