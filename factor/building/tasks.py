"""Celery's side of builds."""

from celery import shared_task

from factor.building.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_benchmark_build(build: int) -> None:
    """Work on what waits in the build (its primary key). Where several do so at once, leases keep them apart."""
    work_on(build)
