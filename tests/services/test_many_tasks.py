"""On real PostgreSQL: an annotator among many tasks waits for no search through all of them."""

import os
import subprocess
import sys

from tests.services.conftest import ROOT
from tests.waiting import LONGEST


def test_a_step_among_many_tasks_reads_few_rows(postgres_url):
    """Opening a page, saving, submitting with the next page: after half of the tasks were done by others."""
    environment = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    count = [sys.executable, "-m", "tests.services.rows_read"]
    done = subprocess.run(count, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stderr
    tasks, *read = map(int, done.stdout.split())
    assert len(read) == 3
    assert max(read) < tasks / 5, read
