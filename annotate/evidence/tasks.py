"""Celery's side of an upload of documents."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from annotate.evidence.uploads import knock_for_all_that_stand_still, work_on


@shared_task  # type: ignore[untyped-decorator]
def import_document_upload(upload: int) -> None:
    """Import the upload (its primary key), if nobody does yet."""
    work_on(upload)


@worker_ready.connect  # type: ignore[untyped-decorator]
def take_up_what_was_left(**_: Any) -> None:
    knock_for_all_that_stand_still()
