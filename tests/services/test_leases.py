"""Owners lease the items of one run at the same instant, on real PostgreSQL and on SQLite, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 20


@pytest.mark.parametrize("database", ["PostgreSQL", "SQLite"])
def test_no_item_is_leased_twice(database, make_house, request):
    named = {"DATABASE_URL": request.getfixturevalue("postgres_url")} if database == "PostgreSQL" else {}
    printed = printed_by("lease_race", ROUNDS, **make_house(**named).environment)
    # All 40 items in each round, and none for two owners.
    assert printed.split() == [str(ROUNDS), "1"]


def test_renewing_and_freeing_leases_wait_for_no_item_that_is_stored(make_house, postgres_url):
    """Who stores waits for the locks of all its items, one after the other: each would wait for the other."""
    printed = printed_by("renewal_beside_store", **make_house(DATABASE_URL=postgres_url).environment)
    assert printed.split() == ["2", "2"]
