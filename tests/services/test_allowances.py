"""Two jobs ask for room under one limit of spending at the same instant, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 40

pytestmark = pytest.mark.services


def test_one_call_fits_and_every_cent_is_counted(postgres_url):
    printed = printed_by("allowance_race", ROUNDS, DATABASE_URL=postgres_url)
    # 40 calls of one cent, and never two at once: 60 cents and 60 cents are more than a dollar.
    assert printed.splitlines() == ["held later"] * ROUNDS + ["0.400000 {}"]
