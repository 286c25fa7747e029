"""The table of places: whose, how far, how long; filtered, sorted, a page at a time, and as CSV for paying people."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, F, OrderBy, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from annotate.models import Assignment, Dataset, Label, Response
from annotate.models.work import AssignmentQuerySet
from annotate.oversight.effort import cost_of
from core.csv import csv_line

PAGE_SIZE = 50
State = Assignment.State

STATES = {
    **{state.value: state.label for state in State},
    "comment": "With a comment",
}
SORTS: dict[str, tuple[str | OrderBy, str]] = {
    "task": ("task__position", "place"),
    "person": ("annotator__username", "task__position"),
    "time": ("-active_seconds", "task__position"),
    "latest": (F("submitted_at").desc(nulls_last=True), "task__position"),
}
COLUMNS = (
    *("annotator", "task", "state", "opened", "submitted", "units"),
    *("active_seconds", "hourly_rate", "cost", "undercounted"),
)


def work_page(dataset: Dataset, person: str, state: str, sort: str, number: str | None) -> dict[str, Any]:
    """One page of the places; `person` is a user name or "", `state` a key of STATES or "", `sort` one of SORTS."""
    everybody = Assignment.objects.of(dataset)
    places = _filtered(everybody, person, state).defer(*Assignment.LARGE).select_related("annotator", "task")
    prompts = Response.objects.select_related("prompt").only("task_id", "text", "prompt__text")
    ordered = places.order_by(*SORTS.get(sort, SORTS["task"])).prefetch_related(Prefetch("task__responses", prompts))
    names = everybody.order_by("annotator__username").values_list("annotator__username", flat=True).distinct()
    page = Paginator(ordered, PAGE_SIZE).get_page(number)
    return {
        "page": page,
        "rows": [(place, cost_of(place.active_seconds, dataset.hourly_rate)) for place in page],
        "people": list(names),
        "person": person,
        "states": STATES,
        "state": state if state in STATES else "",
        "sort": sort if sort in SORTS else "task",
    }


def _filtered(places: AssignmentQuerySet, person: str, state: str) -> AssignmentQuerySet:
    if person:
        places = places.filter(annotator__username=person)
    if state == "comment":
        return places.exclude(comment="")
    return places.filter(state=state) if state in State.values else places


def pay_lines(dataset: Dataset) -> Iterator[str]:
    """CSV: a line for each place that was submitted or that time was spent on, by person and task.

    `undercounted` is yes where more was worked than an earlier version counted.

    It does not tell which tasks have known answers: people see it for their pay.
    """
    yield csv_line(COLUMNS)
    worked = Assignment.objects.of(dataset).filter(Q(state=State.SUBMITTED) | Q(active_seconds__gt=0))
    # Counted place by place, so that the first lines come before the last are read.
    first = Label.objects.filter(assignment=OuterRef("pk"), revision=0).order_by().values("assignment")
    units = Coalesce(Subquery(first.annotate(number=Count("pk")).values("number")), 0)
    places = (
        worked.annotate(units=units)
        .defer(*Assignment.LARGE)
        .select_related("annotator", "task")
        .order_by("annotator__username", "task__position")
    )
    for place in places.iterator(chunk_size=1000):
        yield csv_line(
            (
                place.annotator.get_username(),
                place.task.position + 1,
                place.state,
                _time(place.opened_at),
                _time(place.submitted_at),
                vars(place)["units"],
                place.active_seconds,
                _money(dataset.hourly_rate),
                _money(cost_of(place.active_seconds, dataset.hourly_rate)),
                "yes" if place.undercounted else "no",
            )
        )


def _time(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""


def _money(value: Decimal | None) -> str:
    return "" if value is None else f"{value:.2f}"
