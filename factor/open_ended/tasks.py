"""Celery's side of open-ended generation."""

from celery import shared_task

from factor.open_ended.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_open_ended_study(study: int) -> None:
    """Have the texts that wait in the study (its primary key) written. Leases keep apart several who do so at once."""
    work_on(study)
