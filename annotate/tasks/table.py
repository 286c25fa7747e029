"""The table of a dataset's tasks: filtered, sorted, a page at a time."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Exists, Min, OuterRef, Prefetch, Q

from annotate.models import Assignment, Dataset, GoldLabel, Response, Task
from annotate.models.work import TaskQuerySet

PAGE_SIZE = 50
State = Assignment.State
Kind = Task.Kind

FILTERS = {
    "free": "With a free place",
    State.RESERVED.value: "Reserved",
    State.OPEN.value: "In work",
    State.SUBMITTED.value: "Submitted",
    State.LAPSED.value: "Lapsed",
    State.SKIPPED.value: "Skipped",
    "closed": "Settled",
    "gold": "Work with gold",
    Kind.QUALIFICATION.value: Kind.QUALIFICATION.label,
    Kind.CONTROL.value: Kind.CONTROL.label,
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
        "kinds": Kind.choices,
    }


def _filtered(tasks: TaskQuerySet, state: str) -> TaskQuerySet:
    if state == "free":
        return tasks.real().unsettled().with_a_free_place()
    if state == "closed":
        return tasks.filter(closed_at__isnull=False)
    if state == "gold":
        gold = GoldLabel.objects.current().filter(segment__response__task=OuterRef("pk"))
        return tasks.real().filter(Exists(gold))
    if state in Kind.values:
        return tasks.filter(kind=state)
    if state in State.values:
        having = Assignment.objects.filter(state=state).values("task")
        return tasks.filter(pk__in=having)
    return tasks


def sizes(dataset: Dataset) -> dict[str, int]:
    """Counts of tasks and places by state."""
    work = Q(kind=Kind.WORK)
    tasks = dataset.tasks.aggregate(
        tasks=Count("pk", filter=work),
        double=Count("pk", filter=work & Q(wants__gte=2)),
        closed=Count("closed_at"),
        qualification=Count("pk", filter=Q(kind=Kind.QUALIFICATION)),
        control=Count("pk", filter=Q(kind=Kind.CONTROL)),
    )
    places = Assignment.objects.of(dataset).aggregate(
        **{state: Count("pk", filter=Q(state=state)) for state in State.values}
    )
    return {**tasks, **places}
