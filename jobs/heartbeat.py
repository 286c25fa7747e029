"""A worker's heartbeat: the rows that say which queues it serves, and the sweeps that go with every beat."""

import logging
import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from threading import Event, Thread

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection
from django.utils import timezone

from jobs.enqueue import sweep
from jobs.kinds import KINDS
from jobs.models import Worker

logger = logging.getLogger("touchstone.jobs")

FORGOTTEN = timedelta(days=1)


class Heartbeat:
    """Beats in a thread of the worker's main process, so that tasks, which run in its children, cannot hold it up.

    A worker sweeps the kinds of the queues that it serves.
    """

    def __init__(self, name: str, queues: Sequence[str]) -> None:
        self._name = f"{name} {os.getpid()}"
        self._queues = queues
        self._stop = Event()
        self._thread = Thread(target=self._beat_until_stopped, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop, and delete the rows: this worker is gone."""
        self._stop.set()
        self._thread.join()

    def _beat_until_stopped(self) -> None:
        self._started_at = timezone.now()
        while not self._stop.is_set():
            self._try(self._beat)
            self._stop.wait(settings.HEARTBEAT_SECONDS)
        self._try(Worker.objects.filter(name=self._name).delete)

    def _beat(self) -> None:
        now = timezone.now()
        for queue in self._queues:
            Worker.objects.update_or_create(
                name=self._name, queue=queue, defaults={"started_at": self._started_at, "beat_at": now}
            )
        Worker.objects.filter(beat_at__lt=now - FORGOTTEN).delete()
        for kind in KINDS.values():
            if kind.queue in self._queues:
                kind().plan()
                sweep(kind())

    def _try(self, work: Callable[[], object]) -> None:
        """A database that is away for a while must not end the heartbeat: the next beat tries again."""
        try:
            work()
        except DatabaseFailure as error:
            logger.warning("A heartbeat failed: %s", error)
        finally:
            connection.close()  # nothing open is left for a child that is forked between two beats
