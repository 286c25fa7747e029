"""Two people want the last place of a task at the same instant, on real PostgreSQL, many times over."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 60

pytestmark = pytest.mark.services


def test_the_last_place_is_given_exactly_once(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    # 60 tasks a race, and on each at least one and at most one live assignment.
    assert done.stdout.splitlines() == [f"newcomers {ROUNDS} 1 1", f"latecomer {ROUNDS} 1 1"]
