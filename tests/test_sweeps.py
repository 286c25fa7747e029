"""Of the long sweeps a test run takes a part, and parts in succession take everything."""

import os
import re
import subprocess
import sys

import pytest

from tests.sweeps import ADDRESSES_ONE_OF, COMMANDS, PARTS, SWEEPS, TURNS, WHOLE, Share, Sweep, Turns, part_of_commit
from tests.test_slow import ROOT

# What is swept is collected twice, by one process.
pytestmark = pytest.mark.xdist_group("tests/test_sweeps.py")

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
    "tests/annotate/blindness/test_blindness.py",
]
KIND = re.compile(r"^tests/services/test_jobs.py::(test_\w+)\[(\w+)\]", re.MULTILINE)


def collected(*options: str) -> str:
    """The names of the tests that are taken, and the summary."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run([*COLLECT, *options], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def some() -> str:
    return collected("--part", "7")


@pytest.fixture(scope="module")
def whole() -> str:
    return collected("--whole")


def test_of_each_part_each_function_and_each_kind_has_its_turn(some: str, whole: str) -> None:
    taken, there = set(KIND.findall(some)), set(KIND.findall(whole))
    assert taken < there
    assert len(taken) < len(there) / 4
    assert {function for function, _ in taken} == {function for function, _ in there}
    assert {kind for _, kind in taken} == {kind for _, kind in there}


def test_shares_in_succession_take_each_thing_once():
    for place in range(12):
        assert sum(Share(ADDRESSES_ONE_OF, part).takes(place) for part in range(7, 7 + ADDRESSES_ONE_OF)) == 1
        assert WHOLE.takes(place)
    assert PARTS % ADDRESSES_ONE_OF == 0  # so each has as many turns as the others


def test_how_to_take_a_part_again_is_told(some: str, whole: str) -> None:
    assert "part 7 of the long sweeps; --part 7 takes it again" in some
    assert "of the long sweeps" not in whole


@pytest.mark.parametrize("sweep", SWEEPS)
def test_parts_in_succession_take_each_value_once_with_each_function(sweep: Sweep):
    for value in range(12):
        for place in range(6):
            assert sum(sweep.takes(value, place, part) for part in range(7, 7 + sweep.one_of)) == 1
    assert PARTS % sweep.one_of == 0  # so each has as many turns as the others


@pytest.mark.parametrize("turns", TURNS, ids=lambda turns: turns.tests)
def test_parts_in_succession_take_each_of_the_tests_once(turns: Turns):
    for place in range(6):
        assert sum(turns.takes(place, part) for part in range(7, 7 + turns.one_of)) == 1
    assert PARTS % turns.one_of == 0
    path, _, name = turns.tests.partition("::")
    assert f"\ndef {name or 'test_'}" in (ROOT / path).read_text(encoding="utf-8")


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
