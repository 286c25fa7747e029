"""Celery's side of prompts that a model writes."""

from celery import shared_task

from annotate.prompts.writings import work_on_writing


@shared_task  # type: ignore[untyped-decorator]
def work_on_prompt_writing(writing: int) -> None:
    """Have the prompts of the writing (its primary key) written. Of several who try at once one does it."""
    work_on_writing(writing)
