"""The drawing process: its own, bounded, and started again when it has ended."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluators.charts.process import ROOT, DrawingError, Engine

TEXT = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "data": {"values": [{"a": "Ada"}]},
    "mark": "text",
}


def request(text, form="svg"):
    return json.dumps({"form": form, "spec": {**TEXT, "encoding": {"text": {"value": text}}}})


@pytest.fixture
def engine():
    engine = Engine()
    yield engine
    engine.end()


def test_threads_get_each_their_own_drawing(engine):
    with ThreadPoolExecutor(4) as threads:
        drawings = list(threads.map(lambda number: engine.draw(request(f"number {number}")), range(12)))
    assert all(f"number {number}<".encode() in drawing for number, drawing in enumerate(drawings))


def test_a_process_that_ended_is_started_again(engine):
    engine.draw(request("before"))
    engine.end()
    assert b"after" in engine.draw(request("after"))


def test_what_cannot_be_drawn_is_said_and_the_next_is_drawn(engine):
    with pytest.raises(DrawingError):
        engine.draw(json.dumps({"form": "svg", "spec": {"mark": "no such mark"}}))
    assert b"still here" in engine.draw(request("still here"))


def test_a_drawing_loads_nothing_from_elsewhere(engine):
    spec = {**TEXT, "data": {"url": "file:///etc/hostname", "format": {"type": "csv"}}, "mark": "point"}
    drawing = engine.draw(json.dumps({"form": "svg", "spec": spec}))
    assert b"Ada" not in drawing


def test_the_process_ends_after_so_many_drawings():
    requests = f"{request('Ada')}\n" * 4
    command = [sys.executable, "-c", "from evaluators.charts.engine import serve; serve(3)"]
    ended = subprocess.run(command, cwd=ROOT, input=requests.encode(), capture_output=True, check=True)
    assert ended.stdout.count(b'{"bytes":') == 3


def test_the_web_server_loads_the_engine_nowhere_and_altair_with_the_first_chart():
    code = (
        "import os, sys, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'; django.setup();"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "print([name for name in ('altair', 'vl_convert') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
