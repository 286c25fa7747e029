"""The next work of an annotator: found, taken and opened."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotate.cases.without_gold import answered
from annotate.database.prepared import Prepared, PreparedInsert, Slot
from annotate.models import Assignment, Dataset, Task, User, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.qualification.controls import is_time_for_control, nearest_controls
from annotate.qualification.status import earn, may_work, qualification_for
from annotate.suggestions.shown import settle
from annotate.tasks.free import AT_A_TIME, free_tasks
from annotate.tasks.places import free_place, lapse_expired, lease_end, open_assignment

Kind = Task.Kind
State = Assignment.State

# Without an order, which would join the dataset and lock it too.
_locked_task = Prepared(lambda: Task.objects.filter(pk=Slot("pk")).order_by().select_for_update())
_taken = PreparedInsert(Assignment)
# No join, which SQLite would begin with the tasks: among 100,000 that took it 80 ms.
_unsettled = Exists(Task.objects.filter(pk=OuterRef("task"), dataset=Slot("dataset")).unsettled())
_held = Prepared(
    lambda: Assignment.objects.filter(_unsettled, annotator=Slot("annotator"), state__in=[State.OPEN, State.RESERVED])[
        :1
    ]
)
_own = Prepared(
    lambda: Assignment.objects.filter(
        annotator=Slot("annotator"),
        task__dataset=Slot("dataset"),
        task__closed_at__isnull=True,
        task__gt=Slot("after"),
        state=Slot("state"),
    ).order_by("task_id")[:AT_A_TIME]
)


@dataclass(frozen=True)
class WorkRequest:
    """An annotator who wants work, at a moment. on_page: the answer shows the task, and its receipt says so."""

    dataset: Dataset
    annotator: User
    now: datetime
    on_page: bool


def open_next(
    dataset: Dataset, annotator: User, now: datetime | None = None, *, on_page: bool = False
) -> Assignment | None:
    """The annotator's next piece of work, opened; None where nothing is left for them, or the dataset is archived.
    Where the answer shows it (`on_page`), its receipt is written in the same transaction, so that the disk is waited
    for once.

    In this order: the qualification, until they have passed it, and nothing else before; their open work; a
    control, where the dataset's share of them has its turn; reserved places; a free place (never taken,
    lapsed or given back) on a task they never had.
    """
    if dataset.archived_at is not None:
        return None
    turn = WorkRequest(dataset, annotator, now or timezone.now(), on_page)
    if not may_work(dataset, annotator):
        qualification = _next_qualification(turn)
        if qualification is not None or not earn(dataset, annotator):
            return qualification
    if _held.first(dataset=dataset.pk, annotator=annotator.pk) is None:
        return _next_control(turn) or _first_free(turn)
    return (
        _reopened(partial(_own_after, turn, State.OPEN), turn)
        or _next_control(turn)
        or _reopened(partial(_own_after, turn, State.RESERVED), turn)
        or _first_free(turn)
    )


def _own_after(turn: WorkRequest, state: State, task: int) -> list[Assignment]:
    """The annotator's next assignments in that state, by their tasks."""
    return _own.all(annotator=turn.annotator.pk, dataset=turn.dataset.pk, state=state.value, after=task)


def _reopened(own_after: Callable[[int], list[Assignment]], turn: WorkRequest) -> Assignment | None:
    """The first of the annotator's assignments that is theirs to work on: mostly the very first of thousands.

    own_after: the next AT_A_TIME of them after a task.
    """
    last = 0
    while some := own_after(last):
        for assignment in some:
            try:
                opened = open_assignment(assignment, turn.now)
            except Assignment.DoesNotExist:  # let go at this moment: its task has become one with known answers
                continue
            if opened.state == State.OPEN:
                _note(opened.task_id, turn)
                return opened
        last = some[-1].task_id
    return None


def is_anything_free(dataset: Dataset, annotator: User) -> bool:
    """Whether there is anything for the annotator to take beyond the tasks they hold."""
    if not may_work(dataset, annotator):
        return answered(qualification_for(dataset, annotator)).never_had_by(annotator).exists()
    return any(free_tasks(dataset, annotator))


def _first_free(turn: WorkRequest) -> Assignment | None:
    lapse_expired(turn.dataset, turn.now)
    free = free_tasks(turn.dataset, turn.annotator)
    while some := next(free, None):
        taken = _first_taken(some, Kind.WORK, turn)
        if taken is not None:
            return taken
        # A place taken by somebody else at this moment is not found again.
        free = free_tasks(turn.dataset, turn.annotator)
    return None


def _first_taken(tasks: Iterable[int], kind: Kind, turn: WorkRequest) -> Assignment | None:
    for task in tasks:
        taken = _take(task, kind, turn)
        if taken is not None:
            return taken
    return None


def _next_qualification(turn: WorkRequest) -> Assignment | None:
    tasks = qualification_for(turn.dataset, turn.annotator)
    ran_out = Q(state=State.LAPSED, lease_until__isnull=False)
    begun = Assignment.objects.filter(Q(state=State.OPEN) | ran_out, task__in=tasks, annotator=turn.annotator)

    def begun_after(task: int) -> list[Assignment]:
        return list(begun.filter(task__gt=task).order_by("task_id")[:AT_A_TIME])

    return _reopened(begun_after, turn) or _first_taken(
        answered(tasks).never_had_by(turn.annotator).values_list("pk", flat=True), Kind.QUALIFICATION, turn
    )


def _next_control(turn: WorkRequest) -> Assignment | None:
    """A control whose labels they have not seen, if it is time for one."""
    if not is_time_for_control(turn.dataset, turn.annotator):
        return None
    return _first_taken(nearest_controls(turn.dataset, turn.annotator), Kind.CONTROL, turn)


def _take(task: int, kind: Kind, turn: WorkRequest) -> Assignment | None:
    """A free place of the task, opened for the annotator; None if somebody was faster or its kind has changed."""
    try:
        with transaction.atomic():
            locked = _locked_task.get(pk=task)
            if locked.closed_at is not None or locked.kind != kind:
                return None
            place = free_place(locked)
            if place is None:
                return None
            taken = Assignment(
                task=locked,
                annotator=turn.annotator,
                place=place,
                state=State.OPEN,
                opened_at=turn.now,
                lease_until=lease_end(turn.now),
            )
            settle(taken, turn.dataset)
            _taken.run([taken])
            _note(task, turn)
            return taken
    except IntegrityError:
        return None


def _note(task: int, turn: WorkRequest) -> None:
    if turn.on_page:
        note_receipt(task, turn.annotator, ViewReceipt.What.TASK)
