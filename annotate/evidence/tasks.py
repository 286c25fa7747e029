"""Celery's side of an upload of documents. What is lost is found by the sweep that goes with a worker's heartbeat."""

from celery import shared_task

from annotate.evidence.uploads import work_on


@shared_task  # type: ignore[untyped-decorator]
def import_document_upload(upload: int) -> None:
    """Import the upload (its primary key), if nobody does yet."""
    work_on(upload)
