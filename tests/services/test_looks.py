"""People look at the same unit, and settle it, at the same instant, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 25

pytestmark = pytest.mark.services


def test_a_unit_has_as_many_looks_as_it_wants_and_one_end(postgres_url):
    printed = printed_by("look_race", ROUNDS, DATABASE_URL=postgres_url)
    assert printed.split() == [str(2 * ROUNDS), str(2 * ROUNDS), str(ROUNDS), "agree"]
