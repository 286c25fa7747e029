"""The code of docs/client.md and of the package's own page, run against a site with a worker."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Site
from tests.client.documented import (
    DEMO,
    SCRIPT,
    always_error_f1,
    copy_demo,
    demo_labels,
    recipes,
    script_for,
)
from tests.docs.examples import example
from touchstone import Touchstone


@pytest.fixture(scope="module")
def names(site: Site, token: str) -> dict[str, Any]:
    """What the recipes share, as cells of a notebook do."""
    return {"url": site.address, "token": token, "__name__": "recipes"}


@pytest.fixture
def folder(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the recipes find the files of the demo and write their own."""
    folder: Path = names.setdefault("folder", tmp_path_factory.mktemp("recipes"))
    copy_demo(folder)
    monkeypatch.chdir(folder)
    return folder


def test_the_recipes_work(names: dict[str, Any], folder: Path) -> None:
    """In one test: each goes on from the one before."""
    for title, code in recipes():
        try:
            exec(compile(code, title, "exec"), names)
        except Exception as error:
            error.add_note(f"in the recipe “{title}”")
            raise
    touchstone, run = names["touchstone"], names["touchstone"].run(names["pushed"]["run"])
    assert (run.evaluator, run.model, run.state) == ("gpt judge", "mockllm/model", "finished")
    assert [row["value"] for row in touchstone.predictions(run)] == ["supported"] * len(demo_labels())
    assert list(touchstone.claims(run)) == []
    claims = touchstone.claims(names["extracted"])
    assert claims
    assert all(claim["units"] == [{"segment": claim["segment"], "fact": None}] for claim in claims)
    assert run.spent["tokens"] == 15 * len(touchstone.responses(names["lab"]))


def run_script(names: dict[str, Any], name: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that the script of thirty lines leaves; its dataset is called `name` here."""
    assert len(SCRIPT.splitlines()) < 30
    (names["folder"] / "all.jsonl").write_bytes(file.read_bytes())
    monkeypatch.chdir(names["folder"])
    own = {"url": names["url"], "token": names["token"], "__name__": "script"}
    exec(compile(script_for(name), "thirty lines", "exec"), own)
    return own


def test_the_script_of_thirty_lines_works(names: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = run_script(names, "demo", DEMO, monkeypatch)

    assert left["always_error"].f1[("segment", "all")] == pytest.approx(always_error_f1())
    pair = left["pairs"].loc[("lexical", "mistrusts numbers")]
    assert pair.low < pair.difference < pair.high


def test_the_example_of_the_packages_page_prints_the_datasets(
    names: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    touchstone = Touchstone(names["url"], names["token"])
    touchstone.create_dataset("of the package")
    code = example("client/README.md", "touchstone-client").replace("https://touchstone.example", names["url"])
    exec(code, {"token": names["token"]})
    assert capsys.readouterr().out.splitlines() == [each.name for each in touchstone.datasets()]


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
