"""Celery's side of generations, and of prompts that a model writes."""

from celery import shared_task

from annotate.prompts.work import work_on
from annotate.prompts.writings import work_on_writing


@shared_task  # type: ignore[untyped-decorator]
def work_on_generation(generation: int) -> None:
    """Ask what waits in the generation (its primary key). Where several do so at once, leases keep them apart."""
    work_on(generation)


@shared_task  # type: ignore[untyped-decorator]
def work_on_prompt_writing(writing: int) -> None:
    """Have the prompts of the writing (its primary key) written. Of several who try at once one does it."""
    work_on_writing(writing)
