"""Two people want the last place of a task at the same instant, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 60

pytestmark = pytest.mark.services


def test_the_last_place_is_given_exactly_once(postgres_url):
    printed = printed_by("race", ROUNDS, DATABASE_URL=postgres_url)
    # 60 tasks a race, and on each at least one and at most one live assignment.
    assert printed.splitlines() == [f"newcomers {ROUNDS} 1 1", f"latecomer {ROUNDS} 1 1"]
