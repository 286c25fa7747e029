"""The heartbeat of Celery workers."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

MISSED_BEATS = 3


def patience() -> timedelta:
    """How old a beat may be. A busy database may hold one back for some seconds."""
    return timedelta(seconds=MISSED_BEATS * settings.HEARTBEAT_SECONDS + 5)


class Worker(models.Model):
    """One queue that a Celery worker serves. A worker whose beat is old is gone."""

    name = models.CharField(max_length=200)
    queue = models.CharField(max_length=20)
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "queue"], name="worker_queue_once")]

    def __str__(self) -> str:
        return f"{self.name}, {self.queue}"


def is_worker_alive(queue: str | None = None) -> bool:
    """Whether a worker serves the queue; None: any queue. Without one, what is enqueued waits."""
    alive = Worker.objects.filter(beat_at__gte=timezone.now() - patience())
    return (alive if queue is None else alive.filter(queue=queue)).exists()
