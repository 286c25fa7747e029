"""Make tasks whose answers are known a qualification or a control, or work again."""

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from annotate.cases.addresses import cases_of
from annotate.cases.close import close_settled
from annotate.models import Assignment, Dataset, Task
from annotate.models.work import TaskQuerySet

Kind = Task.Kind
State = Assignment.State


class KindError(ValueError):
    """The tasks cannot be of this kind; the message names the first of them and why. Nothing was changed."""


@transaction.atomic
def set_kind(dataset: Dataset, chosen: Collection[int], kind: str, *, answered: bool = True) -> int:
    """Make these tasks (primary keys) of this kind; return how many changed.

    One with known answers has gold throughout, and nobody is at it: untouched, or settled. Places that are reserved on
    it are let go, and it is open to every annotator who never had it. Earlier submissions remain work. Made
    work again, it keeps the submissions of the meantime: blind judgements like any others. `answered` False: units may
    lack gold, and the task is served to nobody before all have it. Raises KindError.
    """
    if kind not in Kind.values:
        raise KindError(f"there is no kind {kind!r}")
    tasks = dataset.tasks.filter(pk__in=chosen)
    changing = list(tasks.select_for_update().order_by("pk").exclude(kind=kind))
    if kind == Kind.WORK:
        _back_to_work(dataset, changing)
    else:
        _know_answers(dataset, changing, kind, answered)
    return len(changing)


def _know_answers(dataset: Dataset, tasks: list[Task], kind: str, answered: bool) -> None:
    new = [task for task in tasks if task.kind == Kind.WORK]
    if answered:
        _refuse_without_gold(dataset, _rows(new))
    _refuse_in_work(new)
    Assignment.objects.filter(task__in=new, state=State.RESERVED).delete()
    Task.objects.filter(pk__in=[task.pk for task in new]).update(kind=kind, known_since=timezone.now(), closed_at=None)
    Task.objects.filter(pk__in=[task.pk for task in tasks]).update(kind=kind)


def _back_to_work(dataset: Dataset, tasks: list[Task]) -> None:
    """Each wants as many as hold a place on it. One that was settled before it had known answers is so again."""
    before = Assignment.objects.real().filter(task__in=tasks, state=State.SUBMITTED)
    settled = list(before.values_list("task", flat=True).distinct())
    for task in tasks:
        held = task.assignments.live().order_by("-place").values_list("place", flat=True).first()
        task.kind, task.known_since = Kind.WORK, None
        task.wants = 1 if held is None else held + 1
    Task.objects.bulk_update(tasks, ["kind", "known_since", "wants"], batch_size=500)
    Task.objects.filter(pk__in=settled).update(closed_at=timezone.now())
    close_settled(dataset, _rows(tasks))


def _rows(tasks: list[Task]) -> TaskQuerySet:
    return Task.objects.filter(pk__in=[task.pk for task in tasks])


def _refuse_without_gold(dataset: Dataset, tasks: TaskQuerySet) -> None:
    waiting = {case.task for case in cases_of(dataset, tasks)}
    first = tasks.filter(pk__in=waiting).order_by("position").first()
    if first is not None:
        raise KindError(f"task {first.position + 1} has units without gold")


def _refuse_in_work(tasks: list[Task]) -> None:
    open_to_work = [task.pk for task in tasks if task.closed_at is None]
    at_it = Assignment.objects.filter(task__in=open_to_work, state__in=[State.OPEN, State.SUBMITTED])
    first = at_it.select_related("task", "annotator").order_by("task__position").first()
    if first is not None:
        raise KindError(
            f"{first.annotator.get_username()} has begun task {first.task.position + 1}: adjudicate it, or unassign"
        )
