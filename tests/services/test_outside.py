"""Programs that race for the cases of an outside evaluator's run, on real PostgreSQL."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

CASES, PROGRAMS = 100, 6

pytestmark = pytest.mark.services


def test_each_case_is_given_and_stored_once(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.outside_race", str(CASES), str(PROGRAMS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    # Every group was sent twice: the second time its leases are over. Each case has two segments.
    assert done.stdout.split() == ["finished", *map(str, (CASES, CASES, CASES, 2 * CASES, 2 * CASES))]
