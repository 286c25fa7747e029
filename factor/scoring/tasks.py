"""Celery's side of scorings."""

from celery import shared_task

from factor.scoring.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_scoring(scoring: int) -> None:
    """Score what waits in the scoring (its primary key). Where several do so at once, leases keep them apart."""
    work_on(scoring)
