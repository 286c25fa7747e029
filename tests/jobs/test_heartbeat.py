"""A worker says which queues it serves as long as it lives."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from jobs.heartbeat import Heartbeat
from jobs.models import Worker, is_worker_alive, patience
from tests.waiting import wait_until


def test_no_worker_no_life(db):
    assert not is_worker_alive()


@pytest.fixture
def looking_on(transactional_db):
    """Reading does not stop where a thread is writing. The tests' SQLite is in memory and shared by its connections,
    where a table that one of them writes is locked for the others at once, without the wait that a file has."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA read_uncommitted = true")
        yield
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA read_uncommitted = false")


def test_a_beating_worker_is_alive(looking_on, settings):
    settings.HEARTBEAT_SECONDS = 0.1
    heart = Heartbeat("celery@here", ["long"])
    heart.start()
    try:
        wait_until(is_worker_alive, "the heart beats")
        first = Worker.objects.get().beat_at
        wait_until(lambda: Worker.objects.get().beat_at > first, "the heart beats again")
        assert is_worker_alive("long")
        assert not is_worker_alive("short")
    finally:
        heart.stop()
    assert not Worker.objects.exists()


def test_a_worker_whose_heart_has_stopped_is_dead(db):
    past = timezone.now() - patience() - timedelta(seconds=1)
    Worker.objects.create(name="celery@gone", queue="long", started_at=past, beat_at=past)
    assert not is_worker_alive()
