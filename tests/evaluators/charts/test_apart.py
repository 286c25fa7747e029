"""What keeps the parts of a chart apart: marks of series, places of labels, the break of an axis, and the font."""

import base64
import json
import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest

from evaluators.charts.chart import Chart
from evaluators.charts.draw import draw
from evaluators.charts.font import FAMILY
from evaluators.charts.labels import PLANES, domain_of, placed_labels, zero_place
from evaluators.charts.marks import Axis, dots, facets, lines, scatter
from evaluators.charts.sizes import LABEL_WIDTHS, TEXT_SIZE
from evaluators.charts.theme import LIGHT, MOST_SERIES, dressed

F1 = Axis("f1", "F1", (0, 1))
PRICE = Axis("price", "Price", logarithmic=True)
NAMES = [f"judge {place}" for place in range(MOST_SERIES)]
SVG = "{http://www.w3.org/2000/svg}"


def series_rows(names):
    return [
        {"slice": slice, "evaluator": name, "recall": at, "f1": 0.5, "low": 0.4, "high": 0.6}
        for name in names
        for slice, at in (("math", 0.1), ("science", 0.9))
    ]


def chart_of(spec, rows):
    return Chart("f1", "F1 of judges", "Their figures.", spec, rows)


def scales(spec, channel):
    """The range of the channel's scale, in the order of the series."""
    found = [
        layer["encoding"][channel]["scale"]["range"]
        for layer in spec["layer"]
        if "range" in layer["encoding"].get(channel, {}).get("scale", {})
    ]
    return found[0]


@pytest.mark.parametrize(
    ("draw_kind", "channel"),
    [
        (lambda rows: dots(rows, "slice", F1, series="evaluator"), "shape"),
        (lambda rows: lines(rows, Axis("recall", "R"), F1, "evaluator"), "strokeDash"),
    ],
)
def test_24_series_differ_by_colour_and_mark_together(draw_kind, channel):
    marks = scales(draw_kind(series_rows(NAMES)), channel)
    colours = [LIGHT.series[place % len(LIGHT.series)] for place in range(MOST_SERIES)]

    assert len(marks) == MOST_SERIES
    assert len({(colour, json.dumps(mark)) for colour, mark in zip(colours, marks, strict=True)}) == MOST_SERIES


def test_more_series_than_one_drawing_keeps_apart_are_several():
    rows = series_rows([*NAMES, "one more"])
    parts = facets(rows, "evaluator")

    assert [len({row["evaluator"] for row in part}) for part in parts] == [MOST_SERIES, 1]
    assert [row for part in parts for row in part] == rows
    assert facets(rows[:2], "evaluator") == [rows[:2]]


def crowd(number):
    """Evaluators of about the same price and figure."""
    return [
        {"evaluator": f"felm-segment model {place}", "price": 0.5 + 0.06 * place, "f1": 0.5 + 0.01 * (place % 5)}
        for place in range(number)
    ]


def boxes_of(rows, size):
    width, height = PLANES[size]
    low, high = domain_of(rows, F1X)
    boxes = []
    for row, place in zip(rows, placed_labels(rows, F1X, F1, "evaluator", size), strict=True):
        left = (row["price"] - low) / (high - low) * width + place.dx
        middle = height - row["f1"] * height + place.dy
        long = min(len(row["evaluator"]) * 0.55 * TEXT_SIZE, LABEL_WIDTHS[size])
        start = left if place.align == "left" else left - long
        boxes.append((start, middle - TEXT_SIZE / 2, start + long, middle + TEXT_SIZE / 2))
    return boxes


F1X = Axis("price", "Price")


def overlap(one, other):
    return min(one[2], other[2]) - max(one[0], other[0]) > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5


@pytest.mark.parametrize(("size", "number"), [("wide", 24), ("narrow", 10)])
def test_labels_avoid_each_other(size, number):
    boxes = boxes_of(crowd(number), size)

    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []


def test_a_narrow_drawing_has_places_of_its_own_for_labels():
    spec = scatter(crowd(6), F1X, F1, label="evaluator")
    wide, narrow = (
        {
            layer["name"]: layer["mark"]["align"]
            for layer in dressed(spec, dark=False, narrow=narrow)["layer"]
            if layer.get("name", "").startswith("label-")
        }
        for narrow in (False, True)
    )

    assert len(wide) == len(narrow) == 6
    assert set(wide.values()) | set(narrow.values()) <= {"left", "right"}


FREE = [
    {"evaluator": "free", "price": 0, "f1": 0.4},
    {"evaluator": "cheap", "price": 0.01, "f1": 0.5},
    {"evaluator": "dear", "price": 10, "f1": 0.7},
    {"evaluator": "not known", "price": None, "f1": 0.6},
]


def test_what_costs_nothing_stands_left_of_a_break():
    spec = scatter(FREE, PRICE, F1, label="evaluator")
    root = ElementTree.fromstring(draw(chart_of(spec, FREE), "svg"))
    texts = [node.text for node in root.iter(f"{SVG}text") if node.text]

    assert {"free", "cheap", "dear"} <= set(texts)
    assert "not known" not in texts
    assert "//" in texts
    assert texts.count("0") == 2  # left of the break, and at the end of the figure's axis
    zero = zero_place(FREE, PRICE)
    assert zero is not None and 0 < zero < 0.01 / 4


def test_an_axis_without_zeros_is_whole():
    assert zero_place(FREE[1:], PRICE) is None
    assert '"strokes"' not in json.dumps(scatter(FREE[1:], PRICE, F1, label="evaluator"))


def test_everything_free_is_drawn_too():
    rows = [{"evaluator": name, "price": 0, "f1": f1} for name, f1 in (("ada", 0.4), ("ben", 0.6))]
    root = ElementTree.fromstring(draw(chart_of(scatter(rows, PRICE, F1, label="evaluator"), rows), "svg"))

    assert {"ada", "ben"} <= {node.text for node in root.iter(f"{SVG}text")}


def test_an_svg_brings_the_letters_of_its_font_and_no_others():
    rows = [{"evaluator": "Ada", "f1": 0.5, "low": 0.4, "high": 0.6}]
    svg = draw(chart_of(dots(rows, "evaluator", F1), rows), "svg").decode()
    family, font = re.search(
        r'@font-face\{font-family:"([^"]+)";src:url\(data:font/woff;base64,([^)]+)\)', svg
    ).groups()

    assert family == FAMILY
    assert f'font-family="{FAMILY},' in svg or f"font-family=\"'{FAMILY}'" in svg or f"{FAMILY}, Liberation" in svg
    assert base64.b64decode(font)[:4] == b"wOFF"
    assert len(font) < 20_000


def test_a_pdf_embeds_the_same_font():
    rows = [{"evaluator": "Ada", "f1": 0.5, "low": 0.4, "high": 0.6}]
    pdf = draw(chart_of(dots(rows, "evaluator", F1), rows), "pdf")

    assert b"SourceSansPro" in pdf
    assert b"Liberation" not in pdf
