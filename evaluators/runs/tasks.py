"""Celery's side: the task that a knock brings, and the heart of a worker."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown

from evaluators.models import Run
from evaluators.runs.heartbeat import Heartbeat
from evaluators.runs.work import work_on

hearts: list[Heartbeat] = []


@shared_task  # type: ignore[untyped-decorator]
def work_on_run(run: int) -> None:
    """Work on the run (its primary key), if it still wants that and nobody does.

    Two knocks that come at the same moment may both start: leases keep their items apart.
    """
    wanted = Run.objects.active().select_related("evaluator", "dataset").filter(pk=run).first()
    if wanted is not None and not wanted.items.leased().exists():
        work_on(wanted)


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_heart(sender: Any, **_: Any) -> None:
    heart = Heartbeat(sender.hostname)
    hearts.append(heart)
    heart.start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def stop_heart(**_: Any) -> None:
    while hearts:
        hearts.pop().stop()
