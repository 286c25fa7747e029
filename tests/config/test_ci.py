"""`.ci/run` over commands that stand for the real ones: what it runs, what it shows, and when it fails."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.tree import ROOT

PARTS = ["packages", "install", "neural", "style", "types", "collection", "tests"]
# What the machine would lack.
PROGRAMS = ["caddy", "chromium", "curl", "jq", "pdflatex", "redis-server", "apt-get"]
SAID = {
    "install": "installed",
    "generator": "generated",
    "neural": "installed PyTorch",
    "style": "well formed",
    "types": "typed well",
    "test-all": "12 passed, 3 skipped in 4.50s",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the script; each command says its sentence, and fails where a file "fail-COMMAND" is."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    rules = [f"{name}:\n\t@echo '{said}'; ! test -e fail-{name}\n" for name, said in SAID.items()]
    (tmp_path / "Makefile").write_text("\n".join(rules), encoding="utf-8")
    (tmp_path / "bin").mkdir()
    for program in (*PROGRAMS, "../.venv/bin/pytest"):
        path = tmp_path / "bin" / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
    return tmp_path


def run(checkout: Path) -> tuple[int, str]:
    """The exit code, and what is shown."""
    path = f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"
    shown = subprocess.run(
        [".ci/run"], cwd=checkout, env={"PATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return shown.returncode, shown.stdout


def test_the_table_names_each_part_and_counts_the_tests(checkout: Path) -> None:
    code, shown = run(checkout)
    assert code == 0, shown
    rows = re.findall(r"^(\w+) +(\d+|seconds) *(\w*)$", shown, re.MULTILINE)
    assert [part for part, *_ in rows] == ["part", *PARTS, "whole"]
    assert [tests for part, _, tests in rows if part == "tests"] == ["12"]


def test_tests_are_shown_and_what_passes_besides_is_not(checkout: Path) -> None:
    _, shown = run(checkout)
    assert SAID["test-all"] in shown
    assert [said for name, said in SAID.items() if name != "test-all" and said in shown] == []


@pytest.mark.parametrize("name", ["neural", "style", "types"])
def test_a_part_that_fails_shows_what_it_printed_and_fails_the_whole(checkout: Path, name: str) -> None:
    (checkout / f"fail-{name}").touch()
    code, shown = run(checkout)
    assert code != 0
    assert f"== {name} failed\n{SAID[name]}\n" in shown
    assert (SAID["test-all"] in shown) == (name == "types")  # which runs beside the tests


def test_without_an_installation_nothing_else_begins(checkout: Path) -> None:
    (checkout / "fail-install").touch()
    code, shown = run(checkout)
    assert code != 0
    assert SAID["install"] in shown
    assert re.findall(r"^(\w+) +\d+", shown, re.MULTILINE) == ["packages", "install", "whole"]


def test_tests_that_fail_are_shown_once_and_fail_the_whole(checkout: Path) -> None:
    (checkout / "fail-test-all").touch()
    code, shown = run(checkout)
    assert code != 0
    assert shown.count(SAID["test-all"]) == 1
    assert "== tests failed" in shown
