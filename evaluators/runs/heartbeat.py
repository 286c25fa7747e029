"""A worker's heartbeat: the row that says it lives, and the sweeps that go with every beat."""

import logging
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event, Thread

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection
from django.utils import timezone

from annotate.corpus import uploads
from annotate.evidence import uploads as documents
from annotate.leased.signals import heart_beat
from annotate.prompts import queue as generations
from annotate.prompts.writings import sweep_writings
from annotate.proposals import queue as proposals
from annotate.release import releases
from evaluators.comparison import queue as comparisons
from evaluators.models import Worker
from evaluators.runs.sweep import sweep
from knowledge.fetching import waiting as snapshots

logger = logging.getLogger("touchstone.runs")

MISSED_BEATS = 3
FORGOTTEN = timedelta(days=1)


def is_worker_alive() -> bool:
    """Whether any worker's heart has beaten lately. Without one, what is queued waits."""
    return Worker.objects.filter(beat_at__gte=timezone.now() - patience()).exists()


def patience() -> timedelta:
    """How old a beat may be. A busy database may hold one back for some seconds."""
    return timedelta(seconds=MISSED_BEATS * settings.HEARTBEAT_SECONDS + 5)


class Heartbeat:
    """Beats in a thread of the worker's main process, so that tasks, which run in its children, cannot hold it up."""

    def __init__(self, name: str) -> None:
        self._name = f"{name} {os.getpid()}"
        self._stop = Event()
        self._thread = Thread(target=self._beat_until_stopped, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop, and take the row away: this worker is gone."""
        self._stop.set()
        self._thread.join()

    def _beat_until_stopped(self) -> None:
        started = timezone.now()
        while not self._stop.is_set():
            self._try(lambda: self._beat(started))
            self._stop.wait(settings.HEARTBEAT_SECONDS)
        self._try(Worker.objects.filter(name=self._name).delete)

    def _beat(self, started: datetime) -> None:
        now = timezone.now()
        Worker.objects.update_or_create(name=self._name, defaults={"started_at": started, "beat_at": now})
        Worker.objects.filter(beat_at__lt=now - FORGOTTEN).delete()
        sweep()
        proposals.sweep()
        generations.sweep()
        sweep_writings()
        uploads.sweep()
        documents.sweep()
        snapshots.sweep()
        comparisons.sweep()
        releases.sweep()
        heart_beat.send(sender=type(self))

    def _try(self, work: Callable[[], object]) -> None:
        """A database that is away for a while must not end the heartbeat: the next beat tries again."""
        try:
            work()
        except DatabaseFailure as error:
            logger.warning("A heartbeat failed: %s", error)
        finally:
            connection.close()  # nothing open is left for a child that is forked between two beats
