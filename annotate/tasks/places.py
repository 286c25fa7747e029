"""Places on tasks: opened under a lease, renewed, lapsed, given to somebody else, given back.

One order of locks everywhere: first the task's row, then what hangs on it. So two people who want the last place of a
task are served one after the other, and the unique place number of the database stands behind that.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import count

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from annotate.models import Assignment, Dataset, Role, Task, User
from annotate.models.work import AssignmentQuerySet, TaskQuerySet
from annotate.qualification.standing import earn, may_work, qualification_for
from annotate.qualification.turns import draw, is_control_turn

Kind = Task.Kind
State = Assignment.State
# Tasks that are looked up at once to take the first that is still free.
AT_A_TIME = 16
# Places given up that are looked at first: the latest.
LATEST = 200


def open_next(dataset: Dataset, annotator: User, now: datetime | None = None) -> Assignment | None:
    """The annotator's next piece of work, opened; None where nothing is left for them.

    In this order: the qualification, until they have passed it, and nothing else before; what they have in work; a
    control, where the dataset's share of them has its turn; what is reserved for them; a free place (never taken,
    lapsed or given back) on a task they never had. Who is no annotator of the dataset gets nothing.
    """
    now = now or timezone.now()
    if not annotator.memberships.filter(dataset=dataset, role=Role.ANNOTATOR).exists():
        return None
    if not may_work(dataset, annotator):
        qualification = _next_qualification(dataset, annotator, now)
        if qualification is not None or not earn(dataset, annotator):
            return qualification
    own = Assignment.objects.of(dataset).filter(annotator=annotator, task__closed_at__isnull=True)
    return (
        _reopened(own.filter(state=State.OPEN), now)
        or _next_control(dataset, annotator, now)
        or _reopened(own.filter(state=State.RESERVED), now)
        or _first_free(dataset, annotator, now)
    )


def _reopened(own: AssignmentQuerySet, now: datetime) -> Assignment | None:
    """The first of the annotator's assignments that is theirs to work on: mostly the very first of thousands."""
    last = 0
    while some := list(own.filter(task__gt=last).order_by("task_id")[:AT_A_TIME]):
        for assignment in some:
            try:
                opened = open_assignment(assignment, now)
            except Assignment.DoesNotExist:  # let go at this moment: its task has become one with known answers
                continue
            if opened.state == State.OPEN:
                return opened
        last = some[-1].task_id
    return None


def is_anything_free(dataset: Dataset, annotator: User) -> bool:
    """Whether there is anything for the annotator to take beyond what they hold."""
    if not may_work(dataset, annotator):
        return qualification_for(dataset, annotator).never_had_by(annotator).exists()
    return any(free.exists() for free in _free(dataset, annotator))


def _free(dataset: Dataset, annotator: User) -> Iterator[TaskQuerySet]:
    """Where a place may be free for the annotator: what is found most quickly comes first.

    Tasks are taken in their order. So what others gave up is free, and most of what comes after the last that the
    annotator had; all the tasks are looked through only then.
    """
    tasks = Task.objects.filter(dataset=dataset).real().unsettled()
    free = tasks.with_a_free_place().never_had_by(annotator).order_by("position")
    own = Assignment.objects.of(dataset).filter(annotator=annotator)
    given_up = Assignment.objects.given_up().order_by("-pk").values_list("task", "task__dataset")[:LATEST]
    yield free.filter(pk__in=[task for task, its in given_up if its == dataset.pk])
    last = own.aggregate(last=Max("task"))["last"]
    if last is not None:
        yield free.filter(pk__gt=last)
    yield free


def _first_free(dataset: Dataset, annotator: User, now: datetime) -> Assignment | None:
    lapse_expired(dataset, now)
    for free in _free(dataset, annotator):
        while some := list(free[:AT_A_TIME]):
            taken = _first_taken(some, annotator, now)
            if taken is not None:
                return taken
    return None


def _first_taken(tasks: Iterable[Task], annotator: User, now: datetime) -> Assignment | None:
    for task in tasks:
        taken = _take(task, annotator, now)
        if taken is not None:
            return taken
    return None


def _next_qualification(dataset: Dataset, annotator: User, now: datetime) -> Assignment | None:
    tasks = qualification_for(dataset, annotator)
    ran_out = Q(state=State.LAPSED, lease_until__isnull=False)
    begun = Assignment.objects.filter(Q(state=State.OPEN) | ran_out, task__in=tasks, annotator=annotator)
    return _reopened(begun, now) or _first_taken(tasks.never_had_by(annotator), annotator, now)


def _next_control(dataset: Dataset, annotator: User, now: datetime) -> Assignment | None:
    """A control, if it is time for one: drawn for each annotator anew, by a seed that is theirs."""
    if not dataset.control_share:
        return None
    seed = f"{dataset.pk}/{annotator.pk}"
    begun = Assignment.objects.of(dataset).filter(annotator=annotator, opened_at__isnull=False)
    turn = begun.exclude(task__kind=Kind.QUALIFICATION).count()
    if not is_control_turn(turn, dataset.control_share, seed):
        return None
    controls = Task.objects.filter(dataset=dataset, kind=Kind.CONTROL).never_had_by(annotator)
    return _first_taken(sorted(controls, key=lambda task: draw(f"{seed}/{task.pk}")), annotator, now)


def open_assignment(assignment: Assignment, now: datetime | None = None) -> Assignment:
    """Start or renew its lease, and return it as it is then.

    One whose lease ran out comes back to life if the task still has a place; what is submitted, skipped, given back,
    lost to somebody else or part of a closed task stays as it is. What is reserved waits until they are qualified.
    """
    now = now or timezone.now()
    return assignment if _renewed(assignment, now) else _open(assignment, now)


def _renewed(assignment: Assignment, now: datetime) -> bool:
    """Whether it was in work, as mostly: then one statement does it, which holds by its own conditions."""
    until = now + timedelta(hours=settings.TASK_LEASE_HOURS)
    task = Task.objects.filter(pk=assignment.task_id).unsettled()
    seen = Q(state=State.OPEN, draft_version=assignment.draft_version, lease_until=assignment.lease_until)
    if assignment.state != State.OPEN or not Assignment.objects.filter(seen, pk=assignment.pk, task__in=task).update(
        lease_until=until
    ):
        return False
    assignment.lease_until = until
    return True


@transaction.atomic
def _open(assignment: Assignment, now: datetime) -> Assignment:
    assignment = lock(assignment)
    if assignment.task.closed_at is not None or assignment.state in (State.SUBMITTED, State.SKIPPED):
        return assignment
    if assignment.state == State.RESERVED and not may_work(assignment.task.dataset, assignment.annotator):
        return assignment
    if assignment.state == State.LAPSED:
        place = free_place(assignment.task) if assignment.lease_until is not None else None
        if place is None:
            return assignment
        assignment.place = place
    assignment.state = State.OPEN
    assignment.opened_at = assignment.opened_at or now
    assignment.lease_until = now + timedelta(hours=settings.TASK_LEASE_HOURS)
    assignment.save(update_fields=["state", "place", "opened_at", "lease_until"])
    return assignment


def lock(assignment: Assignment) -> Assignment:
    """The assignment as it is now; its task, and then it itself, are locked until the transaction ends.

    A save locks the assignment only: so none comes between what is read here and what is written after.
    """
    Task.objects.select_for_update().get(pk=assignment.task_id)
    locked = Assignment.objects.select_for_update(of=("self",))
    return locked.select_related("annotator", "task__dataset").get(pk=assignment.pk)


def lapse_expired(dataset: Dataset, now: datetime | None = None) -> int:
    """Free the places whose lease has run out; their drafts are kept. Returns how many."""
    expired = Assignment.objects.filter(state=State.OPEN, lease_until__lt=now or timezone.now())
    # Looked up first: mostly there are none, and nobody waits for a writer's turn to learn that.
    found = [pk for pk, its in expired.values_list("pk", "task__dataset") if its == dataset.pk]
    # Conditions on the row itself, no join: PostgreSQL then checks them again on a lease renewed this very moment.
    return expired.filter(pk__in=found).update(state=State.LAPSED) if found else 0


@transaction.atomic
def give_back(assignment: Assignment) -> bool:
    """Free a place that is reserved or in work, for somebody else; False if there was nothing to give back.

    A place given back has no lease, which tells it from one that lapsed: saving does not bring it back.
    """
    assignment = lock(assignment)
    if assignment.state not in (State.RESERVED, State.OPEN):
        return False
    assignment.state, assignment.lease_until = State.LAPSED, None
    assignment.save(update_fields=["state", "lease_until"])
    return True


def _take(task: Task, annotator: User, now: datetime) -> Assignment | None:
    """A free place of the task, opened for the annotator; None if somebody was faster."""
    try:
        with transaction.atomic():
            locked = Task.objects.select_for_update().get(pk=task.pk)
            place = free_place(locked)
            if place is None or locked.closed_at is not None or locked.kind != task.kind:
                return None
            return Assignment.objects.create(
                task=locked,
                annotator=annotator,
                place=place,
                state=State.OPEN,
                opened_at=now,
                lease_until=now + timedelta(hours=settings.TASK_LEASE_HOURS),
            )
    except IntegrityError:
        return None


def free_place(task: Task) -> int | None:
    """The lowest place number that no live assignment holds; None if all are held. The task's row is locked.

    A task with known answers is for everybody: it comes to want one more where it must.
    """
    held = set(task.assignments.live().values_list("place", flat=True))
    place = next(number for number in count() if number not in held)
    if place >= task.wants:
        if task.kind == Kind.WORK:
            return None
        task.wants = place + 1
        task.save(update_fields=["wants"])
    return place
