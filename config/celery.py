"""The Celery application; its settings are Django's that begin with CELERY_."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"

app = Celery("touchstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs"])

import config.request_ids  # noqa: E402, F401 - connects its signals


@worker_init.connect  # type: ignore[untyped-decorator]
def report_errors(**_: Any) -> None:
    """Of the worker and the processes that it forks."""
    from config.error_reports import start_reports

    start_reports()
