"""What `make test` leaves to `make test-all`: slow tests of behaviours that have a quick test too.

Each line is the beginning of names of tests, as pytest prints them.
"""

import pytest

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
# Of those, the whole way in the browser and the keys of the workbench, and one of each kind of database, broker, race
# and accident.
QUICK = (
    "tests/browser/test_walk.py",
    "tests/browser/test_workbench_keys.py",
    "tests/client/test_recipes.py",
    "tests/client/test_retries.py",
    "tests/client/test_tables.py",
    "tests/services/test_imports.py::test_a_worker_imports_what_was_uploaded",
    "tests/services/test_last_place.py",
    "tests/services/test_leases.py",
    "tests/services/test_run_faults.py::test_an_undisturbed_run_says_what_the_others_are_held_to",
    "tests/services/test_run_faults.py::test_the_end_of_a_run_is_written_once",
)


def is_slow(item: pytest.Item) -> bool:
    return item.nodeid.startswith(SLOW) and not item.nodeid.startswith(QUICK)
