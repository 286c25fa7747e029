"""A team submits several times at once, and while the hidden ranks are made, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 12

pytestmark = pytest.mark.services


def test_no_more_is_taken_than_a_day_allows_and_nothing_after_the_ranks(postgres_url):
    printed = printed_by("board_race", ROUNDS, DATABASE_URL=postgres_url)
    assert printed.splitlines() == [
        # One of three in each round.
        f"submitting {ROUNDS}",
        # What was taken is ranked, and what is not ranked was not taken.
        f"showing {ROUNDS} 0",
    ]
