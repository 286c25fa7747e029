"""Two jobs ask for room under one limit of spending at the same instant, on real PostgreSQL, many times over."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 40

pytestmark = pytest.mark.services


def test_one_call_fits_and_every_cent_is_counted(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.allowance_race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    # 40 calls of one cent, and never two at once: 60 cents and 60 cents are more than a dollar.
    assert done.stdout.splitlines() == ["held later"] * ROUNDS + ["0.400000 {}"]
