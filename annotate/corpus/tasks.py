"""Celery's side of an upload."""

from celery import shared_task

from annotate.corpus.uploads import work_on


@shared_task  # type: ignore[untyped-decorator]
def import_upload(upload: int) -> None:
    """Import the confirmed upload (its primary key), if nobody does yet."""
    work_on(upload)
