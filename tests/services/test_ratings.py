"""People rate one item at the same instant, or two its last place, of every kind, on real PostgreSQL, many times."""

import pytest

from tests.ratings.kinds import KINDS
from tests.services.conftest import printed_by

ROUNDS = 25

pytestmark = pytest.mark.services


def test_an_item_never_has_more_ratings_than_it_wants(postgres_url):
    printed = printed_by("rating_race", ROUNDS, DATABASE_URL=postgres_url)
    assert printed.splitlines() == [f"{name} {2 * ROUNDS} True" for name in KINDS]
