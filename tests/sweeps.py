"""What a test run leaves to `make test-whole`: some of the tests that do the same with many things, and minutes of
whole commands whose parts have tests of their own.

Of the values of a parameter the first test function of a module takes the first, then one in so many; the next function
begins with the second, and so on. So each function runs, and each value has its turn in some of them.
"""

from typing import NamedTuple

import pytest


class Sweep(NamedTuple):
    """The beginning of the names of tests, the name of their parameter, and of how many values one is taken."""

    tests: str
    parameter: str
    one_of: int


SWEEPS = (
    # Kinds of work.
    Sweep("tests/services/test_jobs.py", "name", 5),
    # SQLite with the embedded queue, or PostgreSQL with Redis.
    Sweep("tests/services/", "house", 2),
    Sweep("tests/annotate/blindness/test_blindness.py", "scheme", 2),
)
# Kill rounds, the benchmark over the demo, evaluators over the whole of a published file, and the recipes of the client
# under the oldest Python.
COMMANDS = (
    "tests/services/test_chaos.py::test_nothing_acknowledged_is_lost",
    "tests/bench/test_field.py::test_each_method_has_a_row_for_each_dataset_that_it_judges",
    "tests/browser/test_field.py::test_so_they_do_on_the_published_factcheck_bench",
    "tests/client/test_oldest_python.py",
)


def is_left_out(item: pytest.Item) -> bool:
    """Whether only `make test-whole` takes this test."""
    if item.config.getoption("whole"):
        return False
    if item.nodeid.startswith(COMMANDS):
        return True
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return False
    values = item.callspec.indices
    sweeps = [each for each in SWEEPS if item.nodeid.startswith(each.tests) and each.parameter in values]
    return any((values[sweep.parameter] - _place_of(item)) % sweep.one_of for sweep in sweeps)


def _place_of(item: pytest.Function) -> int:
    """Of its function among those of the module."""
    return [name for name in vars(item.module) if name.startswith("test_")].index(item.originalname)
