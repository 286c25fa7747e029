"""Rebuttals answered twice, ended while answered, and opened by two at once, on real PostgreSQL, many times over."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 40

pytestmark = pytest.mark.services


def test_each_rebuttal_has_one_outcome(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.rebuttal_race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        # One answer each: the version counts it once.
        f"tabs {ROUNDS} True",
        # Each was either revised or ended, and both people were told so.
        f"end {ROUNDS} True",
        f"last {ROUNDS}",
    ]
