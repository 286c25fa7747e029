"""What a test run leaves to `make test-whole`: some of the tests that do the same with many things, and minutes of
whole commands whose parts have tests of their own.

Of the values of a parameter the first test function of a module takes one in so many, the next function begins with
the value after that, and so on. So each function runs, and each value has its turn in some of them. With which value
the first begins is the part: a number from the hash of the commit, so that some days of commits take all of them.
"""

import subprocess
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

# Parts from 0 on, as many as every sweep below has its turns in.
PARTS = 60


class Share(NamedTuple):
    """Of many things in a row one is taken in so many, the first one by the part."""

    one_of: int
    part: int = 0

    def takes(self, place: int) -> bool:
        return (place - self.part) % self.one_of == 0


WHOLE = Share(1)
# Of the addresses that tests/annotate/blindness walks over.
ADDRESSES_ONE_OF = 5


class Sweep(NamedTuple):
    """The beginning of the names of tests, the name of their parameter, and of how many values one is taken."""

    tests: str
    parameter: str
    one_of: int

    def takes(self, value: int, place: int, part: int) -> bool:
        """Whether a part takes the value with this number, with the function at this place of its module."""
        return (value - place - part) % self.one_of == 0


class Turns(NamedTuple):
    """The beginning of the names of tests of which one is taken in so many: each function by its place in the module,
    or, where a turn is named, all of them at once, for they share what takes long to make."""

    tests: str
    one_of: int
    turn: int | None = None

    def takes(self, place: int, part: int) -> bool:
        """Whether a part takes the function at this place of its module."""
        return ((place if self.turn is None else self.turn) - part) % self.one_of == 0


# What takes minutes and shows the same of one commit as of the next.
TURNS = (
    Turns("tests/annotate/blindness/test_controls.py", 4, turn=0),
    Turns("tests/security/test_fields.py::test_nothing", 4, turn=1),
    Turns("tests/security/test_walk.py::test_no_form", 4, turn=2),
    Turns("tests/config/test_sbom.py::test_make_sbom", 4, turn=3),
    Turns("tests/client/test_inspect_scorer.py", 4, turn=3),
    Turns("tests/config/test_full_disk.py", 4, turn=2),
    Turns("tests/evaluators/library/test_factscore.py::test_a_fresh_process", 4, turn=0),
    Turns("tests/docs/test_walkthroughs.py", 3),
    Turns("tests/services/test_backup.py", 2),
    Turns("tests/config/test_trouble.py", 3),
)

# Others take their part by themselves: pages and their looks (tests/browser/test_every_page.py), the databases of a
# kind of work (tests/services/test_jobs.py), and what the tests in tests/security draw.
SWEEPS = (
    # Kinds of work.
    Sweep("tests/services/test_jobs.py", "name", 5),
    # SQLite with the embedded queue, or PostgreSQL with Redis.
    Sweep("tests/services/", "house", 2),
    Sweep("tests/services/test_upgrades.py::test_a_database_of_an_earlier_version_keeps", "database", 2),
    Sweep("tests/annotate/blindness/test_blindness.py", "scheme", 2),
    # Addresses, for all roles and objects.
    Sweep("tests/annotate/test_access.py::test_what_one_may_not_know_of", "name", 4),
    Sweep("tests/annotate/test_access.py::test_nothing_is_written_in_an_archived_dataset", "name", 4),
    Sweep("tests/annotate/test_access.py::test_who_gets_what", "name", 4),
    Sweep("tests/api/test_access.py::test_who_gets_what", "name", 4),
    Sweep("tests/api/test_contract.py::test_answers_are_those_of_the_schema", "label", 4),
    Sweep("tests/annotate/test_queries.py", "scheme", 2),
    # Methods: each is taken by some test of each module.
    Sweep("tests/evaluators/methods/test_choices.py", "method", 4),
    Sweep("tests/evaluators/methods/test_contract.py", "method", 3),
    Sweep("tests/evaluators/methods/test_servers.py", "method", 4),
    Sweep("tests/evaluators/methods/test_startable.py", "method", 3),
    # What is wrong with a setting, or with a line of a file.
    Sweep("tests/config/test_start.py::test_a_wrong_setting", "sentence", 3),
    Sweep("tests/evaluators/bundle/test_round_trip.py::test_a_claim_that", "cause", 4),
    Sweep("tests/evaluators/bundle/test_searches.py::test_a_search_that", "cause", 4),
)
# Kill rounds, the benchmark over the demo, evaluators over the whole of a published file, and the recipes of the client
# under the oldest Python.
COMMANDS = (
    "tests/services/test_chaos.py::test_nothing_acknowledged_is_lost",
    "tests/bench/test_field.py::test_each_method_has_a_row_for_each_dataset_that_it_judges",
    "tests/browser/test_field.py::test_so_they_do_on_the_published_factcheck_bench",
    "tests/client/test_oldest_python.py",
)


def part_of_commit() -> int:
    """0 where there is no commit."""
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True)
    return int(found.stdout, 16) % PARTS if found.returncode == 0 else 0


def share_of_addresses(config: pytest.Config) -> Share:
    return WHOLE if config.getoption("whole") else Share(ADDRESSES_ONE_OF, config.getoption("part"))


def is_left_out(item: pytest.Item) -> bool:
    """Whether only `make test-whole`, or another part, takes this test."""
    if item.config.getoption("whole"):
        return False
    part = item.config.getoption("part")
    if item.nodeid.startswith(COMMANDS):
        return True
    if not isinstance(item, pytest.Function):
        return False
    turns = [each for each in TURNS if item.nodeid.startswith(each.tests)]
    if not all(each.takes(_place_of(item), part) for each in turns):
        return True
    if not hasattr(item, "callspec"):
        return False
    values = item.callspec.indices
    sweeps = [each for each in SWEEPS if item.nodeid.startswith(each.tests) and each.parameter in values]
    return not all(each.takes(values[each.parameter], _place_of(item), part) for each in sweeps)


def _place_of(item: pytest.Function) -> int:
    """Of its function among those of the module."""
    return _tests_of(item.module).index(item.originalname)


@cache
def _tests_of(module: ModuleType) -> list[str]:
    return [name for name in vars(module) if name.startswith("test_")]
