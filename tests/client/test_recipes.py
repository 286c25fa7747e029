"""The recipes of docs/client.md, run one after the other against a site with a worker."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT

PAGE = (ROOT / "docs" / "client.md").read_text()
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
