"""The audit log on real PostgreSQL, and the counts of failed log-ins in a real Redis."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.migrated import GIVEN
from tests.services.conftest import ROOT
from tests.waiting import LONGEST

pytestmark = pytest.mark.services


def run_tests(*tests: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.returncode == 0, done.stdout
    assert " skipped" not in done.stdout


def test_the_audit_log_only_grows_on_postgresql_too(postgres_url: str) -> None:
    run_tests("tests/audit/test_append_only.py", "tests/audit/test_page.py", DATABASE_URL=postgres_url)


def test_failed_log_ins_are_counted_in_redis_too(redis_url: str, migrated: Path) -> None:
    run_tests("tests/annotate/people/test_login.py", CACHE_URL=redis_url, **{GIVEN: str(migrated)})
