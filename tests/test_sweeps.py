"""Of the long sweeps a test run takes some, and leaves out no function and no value."""

import os
import re
import subprocess
import sys

import pytest

from tests.sweeps import COMMANDS, PARTS, SWEEPS, Sweep, part_of_commit
from tests.test_slow import ROOT

COLLECT = [
    sys.executable,
    "-m",
    "pytest",
    "--collect-only",
    "-n",
    "0",
    "-p",
    "no:cacheprovider",
    "tests/services/test_jobs.py",
]
TEST = re.compile(r"::(test_\w+)\[(\w+)\]")


def collected(*options: str) -> set[tuple[str, str]]:
    """Tests of kinds of work: the name of the function, and of the kind."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run([*COLLECT, *options], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return set(TEST.findall(done.stdout))


def test_of_each_part_each_function_and_each_kind_has_its_turn():
    some, whole = collected("--part", "7"), collected("--whole")
    assert some < whole
    assert len(some) < len(whole) / 4
    assert {function for function, _ in some} == {function for function, _ in whole}
    assert {kind for _, kind in some} == {kind for _, kind in whole}


@pytest.mark.parametrize("sweep", SWEEPS)
def test_parts_in_succession_take_each_value_once_with_each_function(sweep: Sweep):
    for value in range(12):
        for place in range(6):
            assert sum(sweep.takes(value, place, part) for part in range(7, 7 + sweep.one_of)) == 1
    assert PARTS % sweep.one_of == 0  # so each has as many turns as the others


def test_the_part_is_that_of_the_commit():
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        assert part_of_commit() == 0
    else:
        assert part_of_commit() == int(found.stdout, 16) % PARTS


@pytest.mark.parametrize("sweep", SWEEPS)
def test_each_line_names_tests_or_fixtures_that_have_the_parameter(sweep):
    place, _, name = sweep.tests.partition("::")
    path = ROOT / place
    files = path.glob("*.py") if path.is_dir() else [path]
    takes_it = re.compile(rf"^def {name}\w*\([^)]*\b{sweep.parameter}\b", re.MULTILINE)
    assert any(takes_it.search(file.read_text(encoding="utf-8")) for file in files)


@pytest.mark.parametrize("beginning", COMMANDS)
def test_each_command_is_a_test_that_is_there(beginning):
    path, _, name = beginning.partition("::")
    assert f"\ndef {name or 'test_'}" in (ROOT / path).read_text(encoding="utf-8")
