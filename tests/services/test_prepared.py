"""On real PostgreSQL: prepared queries, and connections that are kept from one request to the next."""

import os
import subprocess
import sys

import psycopg
import pytest

from tests.services.conftest import ROOT
from tests.waiting import LONGEST

TESTS = ["tests/annotate/database/test_prepared.py"]
# Requests share a connection until the server ends it; what comes then shares a new one.
REQUESTS = """
import django
django.setup()
from django.db import close_old_connections, connection
from annotate.models import User

def serve():
    close_old_connections()  # as Django does when a request begins
    User.objects.exists()
    return connection.connection

first = serve()
assert serve() is first
print(first.info.backend_pid, flush=True)
input()
second = serve()
assert second is not first and serve() is second
print("served", flush=True)
"""

pytestmark = pytest.mark.services


def test_they_answer_as_on_sqlite(postgres_url):
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *TESTS]
    environment = {**os.environ, "DATABASE_URL": postgres_url}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stdout
    assert " skipped" not in done.stdout


def test_a_connection_is_kept_until_the_server_ends_it(postgres_url):
    served = subprocess.Popen(
        [sys.executable, "-c", REQUESTS],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert served.stdin is not None
    assert served.stdout is not None
    process = int(served.stdout.readline())
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 60_000)", [process])
    said, _ = served.communicate("\n", timeout=60)
    assert served.returncode == 0
    assert said == "served\n"
