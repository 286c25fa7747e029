"""Places on tasks: opened under a lease, renewed, lapsed, given to somebody else, given back.

One order of locks everywhere: first the task's row, then what hangs on it. So two people who want the last place of a
task are served one after the other, and the unique place number of the database stands behind that.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.models import Assignment, Dataset, Role, Task, User

State = Assignment.State


def open_next(dataset: Dataset, annotator: User, now: datetime | None = None) -> Assignment | None:
    """The annotator's next piece of work, opened; None where nothing is left for them.

    In this order: what they have in work, what is reserved for them, a free place (never taken, lapsed or given back)
    on a task they never had. Who is no annotator of the dataset gets nothing.
    """
    now = now or timezone.now()
    if not annotator.memberships.filter(dataset=dataset, role=Role.ANNOTATOR).exists():
        return None
    own = Assignment.objects.of(dataset).filter(annotator=annotator, task__closed_at__isnull=True)
    for state in (State.OPEN, State.RESERVED):
        for assignment in own.filter(state=state).order_by("task__position"):
            opened = open_assignment(assignment, now)
            if opened.state == State.OPEN:
                return opened
    lapse_expired(dataset, now)
    for task in Task.objects.filter(dataset=dataset).unsettled().with_a_free_place().never_had_by(annotator):
        taken = _take(task, annotator, now)
        if taken is not None:
            return taken
    return None


@transaction.atomic
def open_assignment(assignment: Assignment, now: datetime | None = None) -> Assignment:
    """Start or renew its lease, and return it as it is then.

    One whose lease ran out comes back to life if the task still has a place; what is submitted, given back, lost to
    somebody else or part of a closed task stays as it is.
    """
    now = now or timezone.now()
    assignment = lock(assignment)
    if assignment.task.closed_at is not None or assignment.state == State.SUBMITTED:
        return assignment
    if assignment.state == State.LAPSED:
        place = _free_place(assignment.task)
        if assignment.lease_until is None or place is None:
            return assignment
        assignment.place = place
    assignment.state = State.OPEN
    assignment.opened_at = assignment.opened_at or now
    assignment.lease_until = now + timedelta(hours=settings.TASK_LEASE_HOURS)
    assignment.save(update_fields=["state", "place", "opened_at", "lease_until"])
    return assignment


def lock(assignment: Assignment) -> Assignment:
    """The assignment as it is now, its task locked until the transaction ends."""
    Task.objects.select_for_update().get(pk=assignment.task_id)
    return Assignment.objects.select_related("annotator", "task__dataset").get(pk=assignment.pk)


def lapse_expired(dataset: Dataset, now: datetime | None = None) -> int:
    """Free the places whose lease has run out; their drafts are kept. Returns how many."""
    # Conditions on the row itself, no join: PostgreSQL then checks them again on a lease renewed this very moment.
    expired = Assignment.objects.filter(state=State.OPEN, lease_until__lt=now or timezone.now())
    return expired.filter(task__in=Task.objects.filter(dataset=dataset)).update(state=State.LAPSED)


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
            task = Task.objects.select_for_update().get(pk=task.pk)
            place = _free_place(task)
            if place is None or task.closed_at is not None:
                return None
            return Assignment.objects.create(
                task=task,
                annotator=annotator,
                place=place,
                state=State.OPEN,
                opened_at=now,
                lease_until=now + timedelta(hours=settings.TASK_LEASE_HOURS),
            )
    except IntegrityError:
        return None


def _free_place(task: Task) -> int | None:
    """The lowest place number that no live assignment holds; None if all are held."""
    held = set(task.assignments.live().values_list("place", flat=True))
    return next((place for place in range(task.wants) if place not in held), None)
