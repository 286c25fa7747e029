"""The table of a dataset's tasks: filtered, sorted, a page at a time."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Min, Prefetch, Q

from annotate.models import Assignment, Dataset, Response, Task
from annotate.models.work import TaskQuerySet

PAGE_SIZE = 50
State = Assignment.State

FILTERS = {
    "free": "With a free place",
    State.RESERVED.value: "Reserved",
    State.OPEN.value: "In work",
    State.SUBMITTED.value: "Submitted",
    State.LAPSED.value: "Lapsed",
    "closed": "Settled",
}
SORTS = {"position": "position", "submitted": "-done", "lease": "lease"}


def task_page(dataset: Dataset, state: str, sort: str, number: str | None) -> dict[str, Any]:
    """One page of tasks with their places; `state` is a key of FILTERS or "", `sort` one of SORTS (else position)."""
    tasks = _filtered(Task.objects.filter(dataset=dataset), state).annotate(
        done=Count("assignments", filter=Q(assignments__state=State.SUBMITTED), distinct=True),
        lease=Min("assignments__lease_until", filter=Q(assignments__state=State.OPEN)),
    )
    prompts = Response.objects.select_related("prompt").only("task_id", "prompt__text", "prompt__topic")
    places = Assignment.objects.select_related("annotator").defer("draft").order_by("place", "pk")
    ordered = tasks.order_by(SORTS.get(sort, "position"), "position")
    listed = ordered.prefetch_related(Prefetch("responses", prompts), Prefetch("assignments", places))
    return {
        "page": Paginator(listed, PAGE_SIZE).get_page(number),
        "filters": FILTERS,
        "state": state if state in FILTERS else "",
        "sort": sort if sort in SORTS else "position",
    }


def _filtered(tasks: TaskQuerySet, state: str) -> TaskQuerySet:
    if state == "free":
        return tasks.unsettled().with_a_free_place()
    if state == "closed":
        return tasks.filter(closed_at__isnull=False)
    if state in State.values:
        having = Assignment.objects.filter(state=state).values("task")
        return tasks.filter(pk__in=having)
    return tasks


def sizes(dataset: Dataset) -> dict[str, int]:
    """How many tasks and places there are, and how far they have come."""
    tasks = dataset.tasks.aggregate(
        tasks=Count("pk"), double=Count("pk", filter=Q(wants__gte=2)), closed=Count("closed_at")
    )
    places = Assignment.objects.of(dataset).aggregate(
        **{state: Count("pk", filter=Q(state=state)) for state in State.values}
    )
    return {**tasks, **places}
