"""Adjudicators move a task at the instant at which annotators take, submit or skip it, on real PostgreSQL."""

import os
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

ROUNDS = 30

pytestmark = pytest.mark.services


def test_no_race_gives_a_task_to_more_than_it_needs_or_moves_submitted_work(postgres_url):
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tests.services.move_race", str(ROUNDS)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    races = (
        "assigned twice and taken",
        "unassigned and submitted",
        "reassigned and submitted",
        "reassigned and skipped",
        "undone and taken",
    )
    assert done.stdout.splitlines() == [f"{name}: {ROUNDS} rounds, 0 wrong" for name in races]
