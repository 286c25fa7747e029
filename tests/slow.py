"""What `make test` leaves to `make test-all`: whole folders of slow tests, and each test that was measured to be slow.

Each line is the beginning of names of tests, as pytest prints them. `make slow-tests` measures again.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest

SLOW_TESTS = Path(__file__).with_name("slow_tests.txt")
# Seconds for a test with its set-up and tear-down.
LONGEST = 0.25
DURATION = re.compile(r"([0-9.]+)s (?:call|setup|teardown) +(\S.*)")

SLOW = (
    # Published data, at full size.
    "tests/data/",
    # Copied checkouts that the walk-throughs of CONTRIBUTING change.
    "tests/docs/test_walkthroughs.py",
    # Walks over every address in every way. The first of them stays; test_access asks for every address too.
    "tests/annotate/blindness/test_blindness.py::test_an_adjudicator_learns_all_of_it",
    "tests/annotate/blindness/test_blindness.py::test_in_rebuttal",
    "tests/annotate/blindness/test_blindness.py::test_once_it_is_closed",
    "tests/annotate/blindness/test_blindness.py::test_somebody_of_another_dataset",
    # A classifier over all that is served. What it once found is tested by test_keys.
    "tests/annotate/blindness/test_controls.py",
    # Attacks on every page; test_access and the tests of each form are their quick ones.
    "tests/security/test_walk.py",
    "tests/security/test_poison.py::test_no_text_becomes_a_script",
    "tests/security/test_fields.py::test_nothing_that_is_sent_is_a_server_error",
    # Each test in the browser takes seconds. What the server answers is tested by quick ones.
    "tests/browser/",
    # Races and accidents, over and over, on real servers and workers.
    "tests/services/",
    # A whole site for each module.
    "tests/client/",
    # A benchmark over the demo, as it is called.
    "tests/bench/",
)
# Of those, one of each kind of database, broker, race and accident.
QUICK = (
    "tests/client/test_recipes.py",
    "tests/client/test_tables.py",
    "tests/services/test_imports.py::test_a_worker_imports_what_was_uploaded",
    "tests/services/test_last_place.py",
    "tests/services/test_run_faults.py::test_the_end_of_a_run_is_written_once",
)
MEASURED = frozenset(SLOW_TESTS.read_text().split())


def is_slow(item: pytest.Item) -> bool:
    name = item.nodeid
    return not name.startswith(QUICK) and (name.startswith(SLOW) or function_of(name) in MEASURED)


def function_of(test: str) -> str:
    """The name without its parameters and its group."""
    return test.split("[")[0].split("@")[0].strip()


def slow_functions(lines: list[str]) -> list[str]:
    """Of the lines of pytest's --durations: the functions that took longer than LONGEST with one of their cases."""
    seconds = defaultdict[str, float](float)
    for line in lines:
        if (match := DURATION.match(line)) and not match[2].startswith(SLOW):
            seconds[match[2]] += float(match[1])
    return sorted({function_of(test) for test, taken in seconds.items() if taken > LONGEST})


if __name__ == "__main__":
    SLOW_TESTS.write_text("\n".join(slow_functions(sys.stdin.read().splitlines())) + "\n")
