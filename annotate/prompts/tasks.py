"""Celery's side of generations."""

from celery import shared_task

from annotate.prompts.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_generation(generation: int) -> None:
    """Ask what waits in the generation (its primary key). Where several do so at once, leases keep them apart."""
    work_on(generation)
