"""The walk-throughs of CONTRIBUTING.md are followed: their code is put into a copy of the project, and works there."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.docs.examples import steps_of
from tests.docs.tree import ADDED, ROOT
from tests.migrated import GIVEN


@dataclass(frozen=True)
class Checkout:
    """A copy of the project, with a data folder of its own beside it."""

    root: Path
    migrated: Path

    def follow(self, title: str) -> None:
        """Do what the steps of the walk-through say."""
        for path, language, block in steps_of(title):
            self._apply(path, language, block)

    def _apply(self, path: str, language: str, block: str) -> None:
        """A file, lines to be inserted where the others of the block stand, or a command."""
        file = self.root / path
        if language == "sh":
            self.run(*block.split()[1:])
        elif language == "diff":
            lines = block.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if not line.startswith("+"))
            text = file.read_text(encoding="utf-8")
            assert text.count(before) == 1, f"{path}: {before}"
            file.write_text(text.replace(before, "".join(line[1:] for line in lines)), encoding="utf-8")
        else:
            assert not file.exists()
            file.write_text(block, encoding="utf-8")

    def run(self, *words: str) -> str:
        """The output of Python in the copy."""
        of_this_run = re.compile("PYTEST_|DJANGO_|DATA_DIR")
        environment = {name: text for name, text in os.environ.items() if not of_this_run.match(name)}
        ended = subprocess.run(
            [sys.executable, *words],
            cwd=self.root,
            env={**environment, "DATA_DIR": str(self.root.parent / "data"), GIVEN: str(self.migrated)},
            capture_output=True,
            text=True,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def manage(self, *words: str) -> str:
        return self.run("manage.py", *words)

    def test(self, *words: str) -> str:
        return self.run("-m", "pytest", "-p", "no:cacheprovider", "-n", "0", *words)

    def contents(self) -> dict[str, bytes]:
        files = (path for path in self.root.rglob("*") if path.is_file() and ADDED.isdisjoint(path.parts))
        return {str(path.relative_to(self.root)): path.read_bytes() for path in files}

    def lint(self, *paths: str) -> None:
        """As `make lint` does it."""
        python = [path for path in paths if path.endswith(".py") and "migrations" not in path]
        for words in (("check",), ("format", "--check")):
            self.run("-m", "ruff", *words, "--no-cache", *python)
        with TemporaryDirectory() as cache:
            if (ROOT / ".mypy_cache").exists():
                shutil.copytree(ROOT / ".mypy_cache", cache, dirs_exist_ok=True)  # much is known there
            self.run("-m", "mypy", "--cache-dir", cache, *(path for path in python if not path.startswith("tests/")))


@pytest.fixture
def checkout(tmp_path: Path, migrated: Path) -> Checkout:
    left_out = shutil.ignore_patterns(".git*", ".venv*", ".*_cache", ".hypothesis", *ADDED)
    shutil.copytree(ROOT, tmp_path / "checkout", ignore=left_out)
    shutil.copytree(migrated, tmp_path / "data")
    return Checkout(tmp_path / "checkout", migrated)


def follow(checkout: Checkout, title: str, at_most: int) -> None:
    """Follow the walk-through; no more files are touched than so many, and the project passes its checks."""
    before = checkout.contents()
    checkout.follow(title)
    touched = [path for path, content in checkout.contents().items() if before.get(path) != content]
    assert 0 < len(touched) <= at_most, touched
    checkout.lint(*touched)
    checkout.manage("check")


def test_a_kind_of_background_work_takes_five_files_and_ends_with_its_results(checkout):
    follow(checkout, "Add a kind of background work", at_most=5)
    checkout.manage("makemigrations", "--check", "--dry-run")
    tests = ("test_every_kind_has_an_example", "test_the_work_of_a_kind_ends_with_its_results[word_count]")
    checkout.test(*(f"tests/jobs/test_kinds.py::{test}" for test in tests))


def test_an_export_format_takes_two_files_and_writes_its_file(checkout, tmp_path):
    row = {"index": 1, "domain": "math", "source": "", "prompt": "Which?", "response": "One is odd. Two is odd."}
    row |= {"segmented_response": ["One is odd.", "Two is odd."], "labels": [True, False], "comment": ""}
    row |= {"type": [None, "knowledge_error"], "ref": "", "ref_contents": ""}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    follow(checkout, "Add an export format", at_most=2)
    checkout.manage("import_dataset", "numbers", str(tmp_path / "rows.jsonl"), "--format", "felm")

    checkout.manage("export_dataset", "numbers", "--format", "text", "--output", str(tmp_path / "text"))

    expected = "supported: One is odd.\nnot_supported: Two is odd.\n"
    assert (tmp_path / "text").read_text(encoding="utf-8") == expected
    checkout.test("tests/annotate/export/test_formats.py")


PAGE_OF_AGREEMENT = """
from django.test import Client
from annotate.models import User
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.get(username="dora"))
print(client.get("/datasets/1/agreement/").text)
"""


def test_a_coefficient_takes_two_files_and_stands_in_the_json_and_on_the_page(checkout, tmp_path):
    row = {"index": 1, "domain": "math", "source": "", "prompt": "Which?", "response": "One is odd. Two is odd."}
    row |= {"segmented_response": ["One is odd.", "Two is odd."], "labels": [True, False], "comment": ""}
    row |= {"type": [None, "knowledge_error"], "ref": "", "ref_contents": ""}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    # Ada and Ben agree on one of two sentences: π_error = 1/4, p_e = 1/16 + 9/16, (1/2 − 5/8) / (3/8) = −1/3.
    values = {"ada": ("supported", "not_supported"), "ben": ("supported", "supported")}
    labels = [
        {"index": 1, "segment": segment, "annotator": name, "value": value, "error_type": None, "reason": None}
        for name, given in values.items()
        for segment, value in enumerate(given)
    ]
    lines = "".join(json.dumps({**label, "references": None}) + "\n" for label in labels)
    (tmp_path / "labels.jsonl").write_text(lines, encoding="utf-8")
    follow(checkout, "Add a coefficient of agreement", at_most=2)
    checkout.manage("import_dataset", "numbers", str(tmp_path / "rows.jsonl"), "--format", "felm")
    checkout.manage("import_labels", "numbers", str(tmp_path / "labels.jsonl"))
    make_dora = "from tests.factories import *; make_person('dora', Dataset.objects.get(), 'adjudicator')"
    checkout.manage("shell", "--no-imports", "-c", make_dora)

    agreement = json.loads(checkout.manage("agreement", "numbers", "--json"))
    page = checkout.manage("shell", "--no-imports", "-c", PAGE_OF_AGREEMENT)

    assert [row["pi"] for row in agreement["results"][:2]] == [pytest.approx(-1 / 3)] * 2
    assert ">Scott&#x27;s π</a></th>" in page and "-0.333" in page.replace("−", "-")
    checkout.test("tests/docs/test_json_keys.py::test_the_coefficients_of_the_statistics_are_those_of_the_registry")
