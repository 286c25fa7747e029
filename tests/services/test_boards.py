"""A team submits several times at once, and while the hidden ranks are made, on real PostgreSQL, many times over."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 12

pytestmark = pytest.mark.services


def test_no_more_is_taken_than_a_day_allows_and_nothing_after_the_ranks(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.board_race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        # One of three in each round.
        f"submitting {ROUNDS}",
        # What was taken is ranked, and what is not ranked was not taken.
        f"showing {ROUNDS} 0",
    ]
