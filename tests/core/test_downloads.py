"""A fault of a file is never an answer that looks whole."""

import ast
import urllib.request
from http.client import IncompleteRead
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.browser.conftest import environment_of, serving

ROOT = Path(__file__).resolve().parent.parent.parent
WEB = ["tests.core.cut_off", "--config", "python:config.web_server", "--workers", "1"]


def test_a_fault_at_the_beginning_is_no_200_and_a_later_one_cuts_the_connection(tmp_path: Path) -> None:
    with serving(WEB, environment_of(tmp_path)) as site:
        with pytest.raises(HTTPError) as refused:
            urllib.request.urlopen(f"{site.address}/broken/0/")
        refused.value.close()
        assert refused.value.code == 500
        with urllib.request.urlopen(f"{site.address}/broken/2/") as answer, pytest.raises(IncompleteRead) as cut:
            answer.read()
    assert cut.value.partial == b"0\n1\n"


def test_every_answer_that_is_sent_while_it_is_made_begins_before_its_status() -> None:
    """Files are streamed by `download` alone."""
    made = {
        str(path.relative_to(ROOT))
        for room in ROOT.iterdir()
        if (room / "__init__.py").exists() and room.name != "tests"
        for path in room.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "StreamingHttpResponse"
    }
    assert made == {"core/downloads.py"}
