"""Databases with every table, migrated once for all processes of a test run: it takes longer than most tests."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# A data folder that is copied first, then migrated: of the tests that started these.
GIVEN = "TESTS_MIGRATED"


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of the whole run, whose processes have folders of their own in it."""
    own = factory.getbasetemp()
    return own.parent if own.name.startswith("popen-") else own  # as pytest-xdist names them


def made_once(path: Path, make: Callable[[Path], None]) -> Path:
    """The file or folder, made by the first process that wants it while the others wait."""
    with path.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not path.exists():
            unfinished = path.with_suffix(".unfinished")
            make(unfinished)
            unfinished.rename(path)
    return path


def migrate(**environment: str) -> None:
    """Make the tables of the database that the environment names."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    done = subprocess.run(command, cwd=ROOT, env={**kept, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def make_data_folder(folder: Path) -> None:
    """With a SQLite database of every table and no row."""
    if GIVEN in os.environ:
        shutil.copytree(os.environ[GIVEN], folder)
    migrate(DATA_DIR=str(folder))
