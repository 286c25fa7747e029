"""Two adjudicators settle the same segment at the same instant, on real PostgreSQL, many times over."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 60

pytestmark = pytest.mark.services


def test_one_decision_stands_and_the_other_is_told(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    race = [sys.executable, "-m", "tests.services.decision_race", str(ROUNDS)]
    done = subprocess.run(race, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    # 60 segments; on each one decision and two gold labels: the imported one, and the decided one, which is in force.
    assert done.stdout.split() == [str(ROUNDS), str(ROUNDS), str(2 * ROUNDS), str(ROUNDS)]
