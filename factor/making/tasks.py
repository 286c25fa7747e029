"""Celery's side of makings."""

from celery import shared_task

from factor.making.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_making(making: int) -> None:
    """Work on what waits in the making (its primary key). Where several do so at once, leases keep them apart."""
    work_on(making)
