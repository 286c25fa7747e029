"""Programs that race for the cases of an outside evaluator's run, on real PostgreSQL."""

import pytest

from tests.services.conftest import printed_by

CASES, PROGRAMS = 100, 6

pytestmark = pytest.mark.services


def test_each_case_is_given_and_stored_once(postgres_url):
    printed = printed_by("outside_race", CASES, PROGRAMS, DATABASE_URL=postgres_url)
    # Every group was sent twice: the second time its leases are over. Each case has two segments.
    assert printed.split() == ["finished", *map(str, (CASES, CASES, CASES, 2 * CASES, 2 * CASES))]
