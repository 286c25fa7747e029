"""Owners lease the items of one run at the same instant, on real PostgreSQL and on SQLite, many times over."""

import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 20


@pytest.mark.parametrize("database", ["PostgreSQL", "SQLite"])
def test_no_item_is_leased_twice(database, make_house, request):
    named = {"DATABASE_URL": request.getfixturevalue("postgres_url")} if database == "PostgreSQL" else {}
    race = [sys.executable, "-m", "tests.services.lease_race", str(ROUNDS)]
    done = subprocess.run(
        race, cwd=ROOT, env=make_house(**named).environment, capture_output=True, text=True, timeout=LONGEST
    )
    assert done.returncode == 0, done.stderr
    # All 40 items in each round, and none for two owners.
    assert done.stdout.split() == [str(ROUNDS), "1"]
