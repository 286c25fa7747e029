"""The list of slow tests: what it names is there."""

from pathlib import Path

import pytest

from tests.slow import MEASURED, QUICK, SLOW, slow_functions

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("beginning", [*SLOW, *QUICK, *sorted(MEASURED)])
def test_each_line_names_tests_that_are_there(beginning: str) -> None:
    path, _, name = beginning.partition("::")
    assert (ROOT / path).exists()
    assert not name or f"def {name.partition('[')[0].rpartition('::')[2]}" in (ROOT / path).read_text()


@pytest.mark.parametrize("beginning", QUICK)
def test_what_is_quick_would_be_slow_otherwise(beginning: str) -> None:
    assert beginning.startswith(SLOW)


def test_a_function_is_slow_when_one_of_its_cases_took_too_long() -> None:
    lines = [
        "0.15s call     tests/core/test_a.py::test_twice[x]@group",
        "0.15s setup    tests/core/test_a.py::test_twice[x]@group",  # Together 0.3.
        "0.20s call     tests/core/test_a.py::test_each[x]",
        "0.20s call     tests/core/test_a.py::test_each[y]",  # Cases are not added up.
        "9.00s call     tests/browser/test_b.py::test_of_a_slow_folder",
        "(30405 durations < 0.1s hidden.)",
    ]

    assert slow_functions(lines) == ["tests/core/test_a.py::test_twice"]
