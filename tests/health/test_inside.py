"""Checks of the server itself: each says what is wrong, and nothing where all is well."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from health import inside
from health.findings import Finding, State
from health.inside import check_clock, check_disk, check_migrations, check_storage, check_tls, check_workers
from jobs.models import Worker

pytestmark = pytest.mark.django_db


def beat(queue: str, seconds_ago: float = 0) -> None:
    now = timezone.now()
    Worker.objects.create(name="one", queue=queue, started_at=now, beat_at=now - timedelta(seconds=seconds_ago))


def test_a_queue_without_a_worker_is_named() -> None:
    beat("short")
    beat("long", seconds_ago=3600)
    assert list(check_workers()) == [
        Finding("workers", State.OK, "The queue short is served by one."),
        Finding("workers", State.ERROR, "No worker serves the queue long: its work waits. Start one."),
    ]


def test_a_worker_whose_last_beat_lies_in_the_future_has_a_wrong_clock() -> None:
    beat("short")
    assert check_clock().state is State.OK
    beat("long", seconds_ago=-60)
    assert check_clock().sentence == "The clock of the worker one is ahead of this machine's: synchronise them."


def test_a_missing_migration_is_named() -> None:
    assert check_migrations().state is State.OK
    MigrationRecorder(connection).record_unapplied("jobs", "0002_all_tables")
    assert check_migrations().sentence == "The database lacks 1 migration, jobs.0002_all_tables first: run migrate."


def test_a_folder_that_cannot_be_written_to_is_named(settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    assert [finding.state for finding in check_storage()] == [State.OK]
    (tmp_path / "uploads").symlink_to("/proc/self")  # a folder that takes no file, not even from root
    [finding] = check_storage()
    assert finding.state is State.ERROR
    assert finding.sentence.startswith(f"{tmp_path / 'uploads'} cannot be written to: ")


def test_a_server_without_collected_files_says_so(settings, tmp_path: Path) -> None:
    settings.DATA_DIR, settings.STATIC_ROOT, settings.PRODUCTION = tmp_path, tmp_path / "static", True
    assert Finding("storage", State.ERROR, "Styles and scripts are missing: run collectstatic.") in check_storage()


@pytest.mark.parametrize(("error", "warning", "state"), [(0, 0, "ok"), (0, 10**18, "warning"), (10**18, 0, "error")])
def test_little_space_on_the_disk_is_a_warning_and_none_an_error(monkeypatch, error, warning, state) -> None:
    """No disk has 10^18 bytes left."""
    monkeypatch.setattr(inside, "DISK_ERROR", error)
    monkeypatch.setattr(inside, "DISK_WARNING", warning)
    assert check_disk().state == state


@pytest.mark.parametrize(
    ("redirect", "proxy", "site", "state", "words"),
    [
        (True, False, "https://one.example", State.ERROR, "redirects to HTTPS for ever"),
        (False, True, "https://one.example", State.WARNING, "not redirected"),
        (True, True, "http://one.example", State.WARNING, "Links in e-mails begin with http://one.example"),
        (True, True, "https://one.example", State.OK, "The proxy ends TLS"),
    ],
)
def test_the_settings_of_tls_fit_each_other(settings, redirect, proxy, site, state, words) -> None:
    settings.PRODUCTION = True
    settings.SECURE_SSL_REDIRECT, settings.BEHIND_PROXY, settings.SITE_URL = redirect, proxy, site
    finding = check_tls()
    assert finding.state is state
    assert words in finding.sentence
