"""The kinds of chart: what their specifications draw, and that the engine draws them all."""

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluators.charts.chart import Chart
from evaluators.charts.draw import draw
from evaluators.charts.marks import Axis, ReferenceLine, bars, dots, lines, scatter
from evaluators.charts.sizes import NARROW, WIDE, height_of
from evaluators.charts.theme import DARK, DASHED, LIGHT, SOLID

F1 = Axis("f1", "F1", (0, 1))
PRICE = Axis("price", "Price", logarithmic=True)
REFERENCES = (ReferenceLine("always not supported 0.50", 0.5), ReferenceLine("between annotators 0.70", 0.7, "human"))
ROWS = [
    {"evaluator": "Ada's judge", "level": "segment", "price": 0.1, "f1": 0.6, "low": 0.5, "high": 0.7},
    {"evaluator": "Ben's judge", "level": "segment", "price": 10, "f1": None, "low": None, "high": None},
    {"evaluator": "Ada's judge", "level": "response", "price": 0.1, "f1": 0.8, "low": 0.7, "high": 0.9},
]
KINDS = {
    "dots": lambda: dots(ROWS[:2], "evaluator", F1, references=REFERENCES),
    "dots of series": lambda: dots(ROWS, "evaluator", F1, references=REFERENCES, series="level"),
    "bars": lambda: bars(ROWS[:2], "evaluator", F1, references=REFERENCES),
    "bars of series": lambda: bars(ROWS, "evaluator", F1, ends=None, series="level"),
    "lines": lambda: lines(ROWS, PRICE, F1, "level", ("low", "high"), REFERENCES),
    "lines with points": lambda: lines(ROWS, F1, F1, "level", points=True, identity=True, upright=REFERENCES),
    "scatter": lambda: scatter(ROWS[:2], PRICE, F1, "evaluator", "level", front=ROWS[:1], references=REFERENCES),
    "scatter with whiskers": lambda: scatter(ROWS[:2], PRICE, F1, series="level", ends=("low", "high")),
    "scatter on a diagonal": lambda: scatter(ROWS[:2], F1, F1, identity=True),
}


def chart_of(spec):
    return Chart("f1", "F1 of two judges", "Ada's judge reaches 0.6.", spec, ROWS)


def drawn(kind, **how):
    """The drawing's texts, and its size."""
    root = ElementTree.fromstring(draw(chart_of(KINDS[kind]()), "svg", **how))
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text") if node.text]
    return texts, (float(root.get("width")), float(root.get("height")))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_at_the_size_that_the_page_leaves_for_it(kind):
    for narrow, width in ((False, WIDE), (True, NARROW)):
        assert drawn(kind, narrow=narrow)[1] == (width, height_of(KINDS[kind](), narrow=narrow))


def test_rows_stand_in_their_order_from_the_top():
    rows = [{"evaluator": name, "f1": 0.5, "low": 0.4, "high": 0.6} for name in ("Zoe", "Ada", "Mia")]
    root = ElementTree.fromstring(draw(chart_of(dots(rows, "evaluator", F1)), "svg"))
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text in ("Zoe", "Ada", "Mia")] == ["Zoe", "Ada", "Mia"]


def words_of(names, narrow, series=None):
    """The drawing's texts, line by line, with a row for each name."""
    rows = [{"evaluator": name, "slice": "all", "f1": 0.5, "low": 0.4, "high": 0.6} for name in names]
    spec = dots(rows, *(("slice", F1) if series else ("evaluator", F1)), series=series)
    root = ElementTree.fromstring(draw(chart_of(spec), "svg", narrow=narrow))
    assert float(root.get("height")) == height_of(spec, narrow=narrow)
    return [word.text for word in root.iter() if word.tag.endswith(("}text", "}tspan")) and word.text]


@pytest.mark.parametrize("narrow", [False, True])
def test_a_name_of_twenty_letters_is_drawn_whole_in_one_line(narrow):
    assert "always-not-supported" in words_of(["always-not-supported", "lexical"], narrow)


def test_names_that_differ_in_their_ends_are_told_apart_in_a_narrow_drawing():
    """Twenty letters are a line; four lines are drawn, and the last one is cut."""
    long = "factscore-retrieve · Qwen2.5-7B-Instruct · facts=judged"
    words = words_of([long, f"{long} retrieval=gold", f"{long} retrieval=gold profile=released"], narrow=True)
    lines = ["factscore-retrieve ·", "Qwen2.5-7B-Instruct", "· facts=judged"]
    assert [word for word in words if word not in ("F1", *(f"{tick / 10:g}" for tick in range(11)))] == [
        *lines,
        *[*lines, "retrieval=gold"],
        *[*lines, "retrieval=gold…"],
    ]


def test_long_names_in_a_legend_are_drawn_in_lines_too():
    """Beside three letters of a name 340 - 3 * 6.24 - 44 pixels are left, for 44 letters."""
    long = "factscore-retrieve · Qwen2.5-7B-Instruct · facts=judged"
    words = words_of([long, f"{long} retrieval=gold"], narrow=True, series="evaluator")
    first = "factscore-retrieve · Qwen2.5-7B-Instruct ·"
    assert [word for word in words if "=" in word or "·" in word] == [
        first,
        "facts=judged",
        first,
        "facts=judged retrieval=gold",
    ]


def test_points_have_whiskers_so_that_a_single_one_shows_its_interval():
    spec = lines(ROWS[:1], F1, F1, "evaluator", ("low", "high"), points=True)
    (whisker,) = [layer["encoding"] for layer in spec["layer"] if layer["mark"]["type"] == "rule"]
    assert (whisker["y"]["field"], whisker["y2"]["field"]) == ("low", "high")


def test_the_name_of_a_rule_at_the_foot_stands_over_it_and_any_other_under_it():
    rows = [{"evaluator": "Ada's judge", "recall": at, "f1": at} for at in (0, 1)]
    rules = [ReferenceLine("foot", 0.05), ReferenceLine("middle", 0.5)]
    spec = lines(rows, Axis("recall", "Recall", (0, 1)), F1, "evaluator", references=rules)
    styles = [layer["mark"]["style"] for layer in spec["layer"] if layer["mark"]["type"] == "text"]
    assert styles == ["note-above", "note"]


def test_a_row_without_a_value_keeps_its_place():
    assert "Ben's judge" in drawn("dots")[0]


@pytest.mark.parametrize("kind", ["dots", "bars", "lines", "scatter"])
def test_trivial_baselines_are_dashed_and_people_solid(kind):
    text = json.dumps(KINDS[kind]())
    assert "always not supported 0.50" in drawn(kind)[0]
    assert "between annotators 0.70" in drawn(kind)[0]
    assert json.dumps(DASHED) in text
    assert json.dumps(SOLID) in text


def test_a_reference_without_a_value_is_not_drawn():
    spec = dots(ROWS[:2], "evaluator", F1, references=[ReferenceLine("between annotators", None, "human")])
    assert "between annotators" not in json.dumps(spec)


def test_series_differ_in_shape_or_dash_as_well_as_in_colour():
    assert {layer["encoding"]["shape"]["field"] for layer in KINDS["dots of series"]()["layer"][-1:]} == {"level"}
    dashed = [
        layer["encoding"]["strokeDash"]["scale"]["range"]
        for layer in KINDS["lines"]()["layer"]
        if "strokeDash" in layer["encoding"]
    ]
    assert dashed == [[[1, 0], [7, 3]]]


def test_charts_made_by_several_threads_at_once_are_not_mixed():
    def names_in(number):
        rows = [{"evaluator": f"judge {number} {place}", "f1": 0.5, "price": 1} for place in range(3)]
        spec = json.dumps(lines(rows, PRICE, F1, "evaluator", references=[ReferenceLine(f"rule {number}", 0.5)]))
        return {int(found) for found in re.findall(r"(?:judge|rule) (\d+)", spec)}

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(names_in, range(40))) == [{number} for number in range(40)]


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_marks_and_words_stand_out_from_the_sheet(palette):
    assert min(contrast(colour, palette.sheet) for colour in palette.series) >= 3
    assert min(contrast(colour, palette.sheet) for colour in (palette.ink, palette.soft)) >= 4.5


def test_words_are_readable_at_the_size_shown():
    svg = draw(chart_of(KINDS["scatter"]()), "svg", narrow=True).decode()
    sizes = {float(part.split("px")[0]) for part in svg.split('font-size="')[1:]}
    assert min(sizes) >= 11


def test_the_drawing_says_in_words_what_is_seen():
    root = ElementTree.fromstring(draw(chart_of(KINDS["dots"]()), "svg"))
    assert [node.text for node in root][:2] == ["F1 of two judges", "Ada's judge reaches 0.6."]


def test_dark_has_colours_of_its_own():
    light, dark = (draw(chart_of(KINDS["lines"]()), "svg", dark=dark).decode() for dark in (False, True))
    assert LIGHT.series[0] in light
    assert DARK.series[0] not in light
    assert DARK.series[0] in dark
    assert DARK.sheet in dark


def test_png_and_pdf_are_what_they_say():
    png, pdf = (draw(chart_of(KINDS["dots"]()), form) for form in ("png", "pdf"))
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">I", png[16:20])[0] == 3 * WIDE
    assert pdf.startswith(b"%PDF")


def test_the_specification_stands_alone():
    spec = json.loads(draw(chart_of(KINDS["dots"]()), "json"))
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert spec["config"]["background"] == LIGHT.sheet
    assert "Ben's judge" in json.dumps(spec)


def test_csv_holds_the_rows_and_leaves_the_undefined_empty():
    rows = [{"evaluator": "=SUM(A1)", "f1": 0.25}, {"evaluator": "Ben, the judge", "f1": None}]
    chart = Chart("f1", "F1", "Two judges.", KINDS["dots"](), rows)
    assert draw(chart, "csv").decode().splitlines() == ["evaluator,f1", "'=SUM(A1),0.25", '"Ben, the judge",']
