"""People race for tasks with known answers, passes and items of a sample, on real PostgreSQL, many times over."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 25

pytestmark = pytest.mark.services


def test_nobody_is_served_twice_and_nothing_is_overfull(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.known_race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        # Three people hold each of 25 tasks, once each; no task is held by more than it wants.
        f"qualification {3 * ROUNDS} {3 * ROUNDS} 0",
        "control True 0",
        # No control that somebody began as work.
        "changing 0 0",
        "passing 1",
        # Each item has the two ratings that are wanted.
        "rating 2 2",
    ]
