"""The code of docs/client.md, run against a site with a worker."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT

PAGE = (ROOT / "docs" / "client.md").read_text()
SCRIPT = re.search(r"^## In thirty lines\n.*?^```python\n(.*?)^```", PAGE, re.M | re.S)
RECIPES = re.findall(r"^### (.+?)\n.*?^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.fixture(scope="module")
def names(site: Site, token: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the recipes share, as cells of a notebook do."""
    return {"url": site.address, "token": token, "__name__": "recipes"}


@pytest.fixture
def folder(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the recipes find the files of the demo and write their own."""
    folder: Path = names.setdefault("folder", tmp_path_factory.mktemp("recipes"))
    for name in ("demo_felm.jsonl", "demo_judge_with_evidence.jsonl"):
        (folder / name).write_bytes((ROOT / "fixtures" / name).read_bytes())
    monkeypatch.chdir(folder)
    return folder


def test_the_recipes_work(names: dict[str, Any], folder: Path) -> None:
    """In one test: each goes on from the one before."""
    assert len(RECIPES) == 10
    for title, code in RECIPES:
        try:
            exec(compile(code, title, "exec"), names)
        except Exception as error:
            error.add_note(f"in the recipe “{title}”")
            raise


def run_script(names: dict[str, Any], name: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that the script of thirty lines leaves; its dataset is called `name` here."""
    assert SCRIPT is not None
    code = SCRIPT[1]
    assert len(code.splitlines()) < 30
    (names["folder"] / "all.jsonl").write_bytes(file.read_bytes())
    monkeypatch.chdir(names["folder"])
    own = {"url": names["url"], "token": names["token"], "__name__": "script"}
    exec(compile(code.replace('"FELM"', repr(name)), "thirty lines", "exec"), own)
    return own


def test_the_script_of_thirty_lines_works(names: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = run_script(names, "demo", ROOT / "fixtures" / "demo_felm.jsonl", monkeypatch)

    rows = [json.loads(line) for line in (folder / "demo_felm.jsonl").read_bytes().splitlines()]
    labels = [label for row in rows for label in row["labels"]]
    # All is called an error: precision is the share of errors e, recall 1, F1 = 2e / (1 + e).
    share = labels.count(False) / len(labels)
    assert left["always_error"].f1[("segment", "all")] == pytest.approx(2 * share / (1 + share))
    pair = left["pairs"].loc[("lexical", "mistrusts numbers")]
    assert pair.low < pair.difference < pair.high


@pytest.mark.data
@pytest.mark.slow
def test_the_script_reproduces_the_row_of_felm(
    names: dict[str, Any], folder: Path, published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = run_script(names, "FELM", published / "felm" / "all.jsonl", monkeypatch)

    measured = json.loads((published.parent / "reference" / "figures.json").read_bytes())["felm"]["measured"]
    for level, figures in measured["always_error_f1"].items():
        for slice_name, figure in figures.items():
            digits = 4 if level == "response" and slice_name == "all" else 3
            assert round(left["always_error"].f1[(level, slice_name)], digits) == figure, (level, slice_name)
    row = left["always_error"].loc[("segment", "all")]
    # Intervals were given as approximate.
    assert [row.f1_low, row.f1_high] == pytest.approx(measured["always_error_intervals"]["segment"], abs=0.005)
