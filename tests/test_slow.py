"""The list of slow tests: what it names is there."""

from pathlib import Path

import pytest

from tests.slow import QUICK, SLOW

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("beginning", SLOW + QUICK)
def test_each_line_names_tests_that_are_there(beginning: str) -> None:
    path, _, name = beginning.partition("::")
    assert (ROOT / path).exists()
    assert not name or f"\ndef {name.partition('[')[0]}" in (ROOT / path).read_text()


@pytest.mark.parametrize("beginning", QUICK)
def test_what_is_quick_would_be_slow_otherwise(beginning: str) -> None:
    assert beginning.startswith(SLOW)
