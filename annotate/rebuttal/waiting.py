"""Which rebuttals wait, and on whom."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Prefetch

from annotate.models import Assignment, Dataset, Response, Task, User

PAGE_SIZE = 50


def next_rebuttal(dataset: Dataset, annotator: User) -> Assignment | None:
    """The annotator's first assignment whose rebuttal waits for them; None where none does."""
    own = Assignment.objects.of(dataset).awaited_in_rebuttal().filter(annotator=annotator)
    return own.order_by("task__rebuttal_at", "task__position").first()


def rebuttals_page(dataset: Dataset, number: str | None) -> dict[str, Any]:
    """One page of the tasks in rebuttal, the oldest first, each with who has answered and who has not."""
    prompts = Response.objects.select_related("prompt").only("task_id", "prompt__text")
    people = Assignment.objects.filter(state=Assignment.State.SUBMITTED).select_related("annotator").defer("draft")
    tasks = Task.objects.filter(dataset=dataset).unsettled().in_rebuttal().order_by("rebuttal_at", "position")
    listed = tasks.prefetch_related(Prefetch("responses", prompts), Prefetch("assignments", people.order_by("place")))
    return {"page": Paginator(listed, PAGE_SIZE).get_page(number)}
