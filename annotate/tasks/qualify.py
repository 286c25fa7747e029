"""Responses chosen for the qualification, before or without any assignment of work."""

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q

from annotate.cases.addresses import OpenCase, cases_of
from annotate.models import Assignment, Dataset, Response, Task
from annotate.models.corpus import ResponseQuerySet
from annotate.qualification.choose import KindError, set_kind
from annotate.tasks.create import create_tasks, needing_labels

Kind = Task.Kind
State = Assignment.State


@dataclass(frozen=True)
class QualificationTask:
    """A task of the qualification, and how many of its units lack an answer; `case` is the first of them."""

    task: Task
    unanswered: int
    case: OpenCase | None


def choosable(dataset: Dataset, text: str) -> ResponseQuerySet:
    """Responses that nobody has begun to label and whose response, prompt or index holds the text, in order."""
    begun = Assignment.objects.filter(task=OuterRef("task"), state__in=[State.OPEN, State.SUBMITTED])
    untouched = Q(task__isnull=True) | Q(task__kind=Kind.WORK, task__closed_at__isnull=True) & ~Q(Exists(begun))
    words = Q(text__icontains=text) | Q(prompt__text__icontains=text) | Q(index__icontains=text)
    return needing_labels(dataset).filter(untouched, words).select_related("prompt").order_by("position")


@transaction.atomic
def choose(dataset: Dataset, responses: Set[int]) -> int:
    """Make tasks of these responses (primary keys) part of the qualification; return how many.

    They are assigned to nobody, and served as a qualification once every unit has gold. Raises KindError.
    """
    if not responses:
        raise KindError("select at least one response")
    create_tasks(dataset, responses=responses)
    tasks = Task.objects.filter(dataset=dataset, responses__in=responses).values_list("pk", flat=True)
    return set_kind(dataset, set(tasks), Kind.QUALIFICATION, answered=False)


def qualification_tasks_of(dataset: Dataset) -> list[QualificationTask]:
    chosen = dataset.tasks.filter(kind=Kind.QUALIFICATION)
    cases = list(cases_of(dataset, chosen))
    lacking, first = Counter(case.task for case in cases), {case.task: case for case in reversed(cases)}
    prompts = Response.objects.select_related("prompt").order_by("position")
    listed = chosen.order_by("position").prefetch_related(Prefetch("responses", prompts))
    return [QualificationTask(task, lacking[task.pk], first.get(task.pk)) for task in listed]
