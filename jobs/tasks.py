"""The one Celery task, and the heartbeat of a worker."""

from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from django.utils.module_loading import import_string

from jobs.enqueue import enqueue_waiting
from jobs.heartbeat import Heartbeat
from jobs.kinds import KINDS
from jobs.work import work_on

app = import_string(settings.QUEUE_APP)
hearts: list[Heartbeat] = []


@app.task  # type: ignore[untyped-decorator]
def work(kind: str, key: int) -> None:
    """Work on the key of the kind, unless somebody does. Of two messages that come at the same moment both may start:
    leases keep their items apart."""
    of_kind = KINDS[kind]()
    if not of_kind.is_under_way(key):
        work_on(of_kind, key)
    if of_kind.window is not None:
        enqueue_waiting(of_kind)


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_heart(sender: Any, **_: Any) -> None:
    heart = Heartbeat(sender.hostname, sorted(sender.app.amqp.queues.consume_from))
    hearts.append(heart)
    heart.start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def stop_heart(**_: Any) -> None:
    while hearts:
        hearts.pop().stop()
