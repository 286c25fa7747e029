"""A request while the database is away: 503, a sentence, and no other error is taken for it."""

import json
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import reverse

from config.unavailable import answer_error
from tests.config.test_start import kept
from tests.factories import make_person
from tests.processes import call, run


@pytest.mark.django_db
def test_a_database_that_takes_no_writing():
    client = Client(raise_request_exception=False)
    client.force_login(make_person("ada"))
    # Past Django, whose transaction is broken afterwards.
    connection.connection.execute("PRAGMA query_only = ON")
    try:
        answer = client.post(reverse("account_logout"))
    finally:
        connection.connection.execute("PRAGMA query_only = OFF")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "stays in this browser" in answer.content.decode()


def fetch_home() -> None:
    """Print status and text of the answer to somebody who is logged in."""
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "x" * 32
    answer = client.get(reverse("home"), headers={"host": "localhost"})
    print(json.dumps([answer.status_code, answer.content.decode()]))


def test_a_database_that_cannot_be_reached(tmp_path: Path):
    unreachable = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": "postgresql://x:y@127.0.0.1:1/z",
    }
    done = run(call, f"{__name__}.fetch_home", environment={**kept(), **unreachable})
    assert done.returncode == 0, done.stderr
    status, text = json.loads(done.stdout.splitlines()[-1])
    assert status == 503
    assert "The database is away" in text


def test_another_error_is_another_page():
    try:
        raise ValueError("a bug")
    except ValueError:
        answer = answer_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something broke" in answer.content.decode()
