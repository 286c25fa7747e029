"""Draw a chart: SVG, PDF and PNG by the engine (engine.py), the specification and the data as text."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from django.core.cache import caches
from django.utils.html import format_html

from core.csv import csv_line
from core.disk import unless_full
from evaluators.charts.chart import Chart, Row
from evaluators.charts.process import ENGINE
from evaluators.charts.theme import dressed

DRAWN = ("svg", "pdf", "png")
FORMS = (*DRAWN, "json", "csv")
SECONDS_KEPT = 7 * 24 * 3600


def draw(chart: Chart, form: str, dark: bool = False, narrow: bool = False) -> bytes:
    """The chart in one of FORMS. A drawing is kept under the hash of its specification, so it is never out of date.

    narrow: for a screen of 390 pixels. DrawingError: the engine cannot draw it.
    """
    if form == "csv":
        return "".join(f"{line}\n" for line in _csv(chart.rows)).encode()
    spec = {**dressed(chart.spec, dark=dark, narrow=narrow), "description": f"{chart.title}. {chart.description}"}
    if form == "json":
        return json.dumps(spec, indent=1, ensure_ascii=False, allow_nan=False).encode()
    text = json.dumps({"form": form, "spec": spec}, sort_keys=True, allow_nan=False)
    key = f"chart-{hashlib.sha256(text.encode()).hexdigest()}"
    drawing: bytes | None = caches["charts"].get(key)
    if drawing is None:
        drawing = ENGINE.draw(text)
        if form == "svg":
            drawing = _in_words(drawing, chart)
        with unless_full():
            caches["charts"].set(key, drawing, SECONDS_KEPT)
    return drawing


def _in_words(svg: bytes, chart: Chart) -> bytes:
    """The drawing with its title and description as its first elements: the engine leaves them out."""
    head, rest = svg.split(b">", 1)
    words = format_html("<title>{}</title><desc>{}</desc>", chart.title, chart.description)
    return b"".join((head, b' role="img">', words.encode(), rest))


def _csv(rows: Sequence[Row]) -> Iterable[str]:
    columns = list(rows[0]) if rows else []
    yield csv_line(columns)
    for row in rows:
        yield csv_line("" if row[column] is None else row[column] for column in columns)
