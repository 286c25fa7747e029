"""The Celery application; its settings are Django's that begin with CELERY_."""

import gc
import os
from typing import Any
from uuid import uuid4

from celery import Celery
from celery.signals import (
    before_task_publish,
    task_postrun,
    task_prerun,
    worker_before_create_process,
    worker_init,
)
from kombu.transport import TRANSPORT_ALIASES

from config.request_ids import request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks would import every page into each worker; `manage.py migrate` makes them before workers start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"

app = Celery("touchstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs"])


@before_task_publish.connect  # type: ignore[untyped-decorator]
def send_number(headers: dict[str, Any], **_: Any) -> None:
    """Of the request or the task that enqueues it, with the message."""
    headers["request_id"] = request_id.get()


@task_prerun.connect  # type: ignore[untyped-decorator]
def take_number(task: Any, **_: Any) -> None:
    """A task that a sweep enqueued has a number of its own."""
    request_id.set(getattr(task.request, "request_id", None) or uuid4().hex)


@task_postrun.connect  # type: ignore[untyped-decorator]
def drop_number(**_: Any) -> None:
    request_id.set(None)


@worker_init.connect  # type: ignore[untyped-decorator]
def report_errors(**_: Any) -> None:
    """Of the worker and the processes that it forks."""
    from config.error_reports import start_reports

    start_reports()


@worker_before_create_process.connect  # type: ignore[untyped-decorator]
def share_memory(**_: Any) -> None:
    """The collector of a forked process would write to each object, and so copy the memory that it shares."""
    gc.collect()
    gc.freeze()
