"""/healthz and /readyz: who is answered, with what, and at which cost."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.celery import app
from health.services import is_broker_there
from tests.services.conftest import free_port

pytestmark = pytest.mark.django_db

PRESENT = {"database": True, "migrations": True, "broker": True}


def test_a_probe_is_answered_under_any_host_without_tls_and_log_in(client: Client, settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/healthz", headers={"host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.json()) == (200, {"alive": True})
    assert answer.cookies == {}


def test_the_server_is_ready_with_database_migrations_and_broker(client: Client) -> None:
    answer = client.get("/readyz", headers={"host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.json()) == (200, PRESENT)


def test_a_probe_of_life_asks_the_database_nothing_and_one_of_readiness_little(client: Client) -> None:
    client.get("/readyz")
    with CaptureQueriesContext(
        connection,
    ) as alive:
        client.get("/healthz")
    with CaptureQueriesContext(connection) as ready:
        client.get("/readyz")
    assert len(alive) == 0
    # The question, whether the table of migrations is there, and what it holds.
    assert len(ready) == 3


def test_the_server_is_not_ready_before_it_is_migrated(client: Client) -> None:
    MigrationRecorder(connection).record_unapplied("jobs", "0002_all_tables")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {**PRESENT, "migrations": False})


def test_a_broker_that_refuses_connections_is_missing(monkeypatch) -> None:
    monkeypatch.setitem(app.conf, "broker_write_url", f"redis://127.0.0.1:{free_port()}/0")
    assert not is_broker_there()


def test_a_probe_only_asks(client: Client) -> None:
    answer = client.post("/readyz")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert client.head("/healthz").content == b""
