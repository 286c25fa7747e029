"""People rate one item at the same instant, or two its last place, of every kind, on real PostgreSQL, many times."""

import os
import subprocess
import sys

import pytest

from tests.ratings.kinds import KINDS
from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 25

pytestmark = pytest.mark.services


def test_an_item_never_has_more_ratings_than_it_wants(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.rating_race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} {2 * ROUNDS} True" for name in KINDS]
