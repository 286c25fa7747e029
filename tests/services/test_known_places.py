"""People race for tasks with known answers, passes and items of a sample, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 25

pytestmark = pytest.mark.services


def test_nobody_is_served_twice_and_nothing_is_overfull(postgres_url):
    printed = printed_by("known_race", ROUNDS, DATABASE_URL=postgres_url)
    assert printed.splitlines() == [
        # Three people hold each of 25 tasks, once each; no task is held by more than it wants.
        f"qualification {3 * ROUNDS} {3 * ROUNDS} 0",
        "control True 0",
        # No control that somebody began as work.
        "changing 0 0",
        "passing 1",
        # Each item has the two ratings that are wanted.
        "rating 2 2",
    ]
