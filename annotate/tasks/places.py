"""Places on tasks: held under a lease, renewed, lapsed, given back.

One order of locks everywhere: first the task's row, then what hangs on it. So two people who want the last place of a
task are served one after the other, and the unique place number of the database stands behind that.
"""

from datetime import datetime, timedelta
from itertools import count

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotate.cases.close import close_if_settled_before
from annotate.cases.differing import open_rebuttal
from annotate.database.prepared import Prepared, PreparedUpdate, Slot
from annotate.models import Assignment, AssignmentEvent, Dataset, Task, User
from annotate.qualification.status import may_work
from annotate.suggestions.shown import settle

Kind = Task.Kind
State = Assignment.State
# The columns that are written when work is opened.
OPENED = ["state", "place", "opened_at", "lease_until", "left_at", "suggestion", "suggestion_run"]
# A lease this young need not be renewed.
FRESH = timedelta(minutes=1)

# PostgreSQL locks a row's tables in the order of their names here.
_locked = Prepared(
    lambda: Assignment.objects.filter(pk=Slot("pk")).select_related("task").select_for_update(of=("task", "self"))
)
_live = Prepared(lambda: Assignment.objects.filter(task=Slot("task")).live())
_lease = PreparedUpdate(
    lambda: Assignment.objects.filter(
        pk=Slot("pk"),
        state=State.OPEN,
        task__in=Task.objects.filter(pk=Slot("task")).unsettled(),
        draft_version=Slot("version"),
        lease_until=Slot("lease"),
    ),
    "lease_until",
)
_expired = Prepared(
    lambda: Assignment.objects.filter(
        state=State.OPEN, lease_until__lt=Slot("now"), submitted_at__isnull=True, task__dataset=Slot("dataset")
    )
)


def open_assignment(assignment: Assignment, now: datetime | None = None) -> Assignment:
    """Start or renew its lease, and return it as it is then.

    One whose lease ran out comes back to life if the task still has a place; one submitted, skipped, given back,
    lost to somebody else or part of a closed task stays as it is. A reserved one waits until they are qualified.
    """
    now = now or timezone.now()
    return assignment if _renewed(assignment, now) else _open(assignment, now)


def keep_open(assignment: Assignment) -> Assignment:
    """`open_assignment` of a row read this moment: where its lease has just begun there is nothing to write."""
    young = lease_end(timezone.now()) - FRESH
    lease = assignment.lease_until
    return assignment if assignment.state == State.OPEN and lease and lease > young else open_assignment(assignment)


def _renewed(assignment: Assignment, now: datetime) -> bool:
    """Whether it was in work, as mostly: then one statement does it, which holds by its own conditions."""
    until, lease = lease_end(now), assignment.lease_until
    if assignment.state != State.OPEN or lease is None:
        return False
    version = assignment.draft_version
    if not _lease.run({"lease_until": until}, pk=assignment.pk, task=assignment.task_id, version=version, lease=lease):
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
        ran_out = assignment.lease_until is not None
        place = free_place(assignment.task) if ran_out else None
        if place is None:
            return assignment
        assignment.place = place
    assignment.state, assignment.left_at = State.OPEN, None
    if assignment.opened_at is None:
        settle(assignment, assignment.task.dataset)
    assignment.opened_at = assignment.opened_at or now
    assignment.lease_until = lease_end(now)
    assignment.save(update_fields=OPENED)
    return assignment


def lock(assignment: Assignment) -> Assignment:
    """The assignment as it is now; its task, and then it itself, are locked until the transaction ends.

    A save locks the assignment only, so no save comes between the read here and the write after it.
    """
    locked = _locked.get(pk=assignment.pk)
    locked.task.dataset, locked.annotator = assignment.task.dataset, assignment.annotator
    return locked


def lease_end(now: datetime) -> datetime:
    """Until when a place opened or saved now is held."""
    return now + timedelta(hours=settings.TASK_LEASE_HOURS)


def lapse_expired(dataset: Dataset, now: datetime | None = None) -> int:
    """Free the places whose lease has run out; their drafts are kept. Returns how many. Who submitted once keeps the
    place."""
    now = now or timezone.now()
    # Looked up first: mostly there are none, and nobody waits for a writer's turn to learn that.
    expired = [assignment.pk for assignment in _expired.all(now=now, dataset=dataset.pk)]
    if not expired:
        return 0
    # Conditions on the row itself, no join: PostgreSQL then checks them again on a lease renewed this very moment.
    still = Assignment.objects.filter(pk__in=expired, state=State.OPEN, lease_until__lt=now, submitted_at__isnull=True)
    return still.update(state=State.LAPSED)


@transaction.atomic
def give_back(assignment: Assignment, who: User | None = None) -> bool:
    """Free a place that is reserved or in work, for somebody else; False if there was nothing to give back, as where
    it was submitted once. `who` is recorded; None: the site itself.

    A place given back has no lease, which tells it from one that lapsed: saving does not bring it back.
    """
    assignment = lock(assignment)
    if assignment.state not in (State.RESERVED, State.OPEN) or assignment.is_returned:
        return False
    assignment.state, assignment.lease_until = State.LAPSED, None
    assignment.save(update_fields=["state", "lease_until"])
    what = AssignmentEvent.What.UNASSIGNED
    AssignmentEvent.objects.create(task=assignment.task, annotator=assignment.annotator, what=what, who=who)
    return True


@transaction.atomic
def keep_submission(assignment: Assignment, who: User | None) -> bool:
    """Let what was submitted stand, though it was sent back or taken back; the draft is dropped. False if it was not.

    `who` is recorded; None: the site itself.
    """
    assignment = lock(assignment)
    if not assignment.is_returned or assignment.task.closed_at is not None:
        return False
    assignment.state, assignment.lease_until, assignment.draft = State.SUBMITTED, None, {}
    assignment.draft_version += 1
    assignment.save(update_fields=["state", "lease_until", "draft", "draft_version"])
    what = AssignmentEvent.What.KEPT
    AssignmentEvent.objects.create(task=assignment.task, annotator=assignment.annotator, what=what, who=who)
    open_rebuttal(assignment.task, timezone.now())
    close_if_settled_before(assignment.task)
    return True


def free_place(task: Task) -> int | None:
    """The lowest place number that no live assignment holds; None if all are held. The task's row is locked.

    A task with known answers is for everybody: it comes to want one more where it must. So ask for a place only once
    it is sure that it will be held.
    """
    held = {assignment.place for assignment in _live.all(task=task.pk)}
    place = next(number for number in count() if number not in held)
    if place >= task.wants:
        if task.kind == Kind.WORK:
            return None
        task.wants = place + 1
        task.save(update_fields=["wants"])
    return place
