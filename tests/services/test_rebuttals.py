"""Rebuttals answered twice, ended while answered, and opened by two at once, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 40

pytestmark = pytest.mark.services


def test_each_rebuttal_has_one_outcome(postgres_url):
    printed = printed_by("rebuttal_race", ROUNDS, DATABASE_URL=postgres_url)
    assert printed.splitlines() == [
        # One answer each: the version counts it once.
        f"tabs {ROUNDS} True",
        # Each was either revised or ended, and both people were told so.
        f"end {ROUNDS} True",
        f"last {ROUNDS}",
    ]
