"""Adjudicators move a task at the instant at which annotators take, submit or skip it, on real PostgreSQL."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 30

pytestmark = pytest.mark.services


def test_no_race_gives_a_task_to_more_than_it_needs_or_moves_submitted_work(postgres_url):
    printed = printed_by("move_race", ROUNDS, DATABASE_URL=postgres_url)
    races = (
        "assigned twice and taken",
        "unassigned and submitted",
        "reassigned and submitted",
        "reassigned and skipped",
        "undone and taken",
    )
    assert printed.splitlines() == [f"{name}: {ROUNDS} rounds, 0 wrong" for name in races]
