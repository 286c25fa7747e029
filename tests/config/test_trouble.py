"""Whatever is wrong with the machine or the words of a command is one line on standard error."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.test_start import ROOT, kept
from tests.waiting import LONGEST


@pytest.fixture
def empty(migrated: Path, tmp_path: Path) -> Path:
    """A data folder whose database has every table and no row."""
    return shutil.copytree(migrated, tmp_path / "data")


def manage(data_dir: Path, *words: str | bytes, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**kept(), "DATA_DIR": str(data_dir), **environment},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    return line


def test_tables_that_are_not_there(tmp_path: Path) -> None:
    line = said(manage(tmp_path, "dataset_stats", "lab"))
    assert line.startswith("CommandError: the database: no such table")
    assert "manage.py migrate" in line


def test_a_database_that_cannot_be_reached(tmp_path: Path) -> None:
    unreachable = "postgresql://x:y@127.0.0.1:1/z"
    assert "connection" in said(manage(tmp_path, "dataset_stats", "lab", DATABASE_URL=unreachable))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").write_text("This is a text.\n" * 100)
    assert "file is not a database" in said(manage(tmp_path, "dataset_stats", "lab"))


@pytest.mark.parametrize("words", [["dataset_stats", b"x\xff"], ["export_dataset", b"x\xff", "--format", "felm"]])
def test_a_name_that_is_no_text(empty: Path, words: list[str | bytes]) -> None:
    assert "is no text in UTF-8" in said(manage(empty, *words))


def test_a_name_of_a_file_that_no_disk_takes(empty: Path) -> None:
    assert "File name too long" in said(manage(empty, "import_dataset", "lab", "x" * 300, "--format", "felm"))


def test_a_run_of_a_number_that_none_has(empty: Path) -> None:
    assert "There is no run 99999999999999999999" in said(manage(empty, "resume_runs", "99999999999999999999"))


def test_a_subject_that_is_missing_is_wrong_usage(tmp_path: Path) -> None:
    done = manage(tmp_path, "import_dataset", "lab", "x.jsonl", "--format", "factscore")
    assert done.returncode == 2
    assert "--format factscore needs --subject" in done.stderr


@pytest.mark.parametrize("words", [["help"], ["sqlmigrate", "annotate", "0001_squashed"]], ids=["short", "long"])
def test_a_reader_that_has_read_enough(empty: Path, words: list[str]) -> None:
    """As in `manage.py report ... | head -1`."""
    command = subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**kept(), "DATA_DIR": str(empty)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout and command.stderr
    command.stdout.close()
    assert (command.stderr.read(), command.wait(LONGEST)) == ("", 0)
    command.stderr.close()
