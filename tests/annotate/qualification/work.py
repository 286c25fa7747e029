"""Tasks with known answers, and annotators who answer them, without going through the pages."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import Assignment, Dataset, Label, Segment, Task
from annotate.qualification.choose import set_kind
from tests.annotate.adjudication.work import make_task
from tests.factories import add_gold, make_response

RIGHT = ("supported", "not_supported")


def known_task(dataset: Dataset, kind: str, gold: Sequence[str] = RIGHT) -> Task:
    """A task of this kind whose segments have this gold."""
    response = make_response(dataset, [f"Claim {place}." for place in range(len(gold))])
    for segment, value in zip(response.segments.all(), gold, strict=True):
        add_gold(segment, value)
    task = make_task(response, wants=1)
    set_kind(dataset, [task.pk], kind)
    return Task.objects.get(pk=task.pk)


def work_task(dataset: Dataset, wants: int = 2) -> Task:
    return make_task(make_response(dataset), wants)


def segments_of(task: Task) -> QuerySet[Segment]:
    """In their order."""
    return Segment.objects.filter(response__task=task).order_by("response__position", "position")


def answer(assignment: Assignment, values: Sequence[str] = RIGHT) -> None:
    """Judge the segments in their order, and submit."""
    for segment, value in zip(segments_of(assignment.task), values, strict=True):
        Label.objects.create(assignment=assignment, segment=segment, value=value)
    assignment.state, assignment.submitted_at = Assignment.State.SUBMITTED, timezone.now()
    assignment.lease_until = None
    assignment.save()
