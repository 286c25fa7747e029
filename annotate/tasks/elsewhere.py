"""Places of work that was done elsewhere and came as a file."""

from collections import defaultdict
from collections.abc import Iterable

from django.utils import timezone

from annotate.models import Assignment, Dataset, Task, User
from annotate.models.work import LIVE_STATES


class PlaceError(ValueError):
    """The annotator has the task in work here, so that labels from elsewhere would meet their draft."""

    def __init__(self, task: int, annotator: User) -> None:
        super().__init__(f"{annotator.username} has this in work here: submit it or give it back first")
        self.task, self.annotator = task, annotator


def submitted_elsewhere(dataset: Dataset, work: Iterable[tuple[int, User]]) -> dict[tuple[int, int], Assignment]:
    """A submitted assignment for each (task's primary key, annotator), by (task, annotator's primary key).

    A reserved place becomes the submitted one, and what was begun there or on a place given up is dropped; where all
    places are held the task comes to want one more. Nobody waits for their answer to a rebuttal that has begun already.
    Call it within a transaction. Raises PlaceError.
    """
    tasks = {task.pk: task for task in Task.objects.select_for_update().filter(dataset=dataset)}
    own: dict[tuple[int, int], Assignment] = {}
    held: defaultdict[int, set[int]] = defaultdict(set)
    for assignment in Assignment.objects.of(dataset):
        own[assignment.task_id, assignment.annotator_id] = assignment
        if assignment.state in LIVE_STATES:
            held[assignment.task_id].add(assignment.place)

    wanted: dict[tuple[int, int], Assignment] = {}
    created: list[Assignment] = []
    updated: list[Assignment] = []
    grown: set[int] = set()
    now = timezone.now()
    for task, annotator in work:
        assignment = own.get((task, annotator.pk)) or Assignment(task=tasks[task], annotator=annotator)
        wanted[task, annotator.pk] = assignment
        if assignment.state == Assignment.State.SUBMITTED:
            continue
        if assignment.state == Assignment.State.OPEN:
            raise PlaceError(task, annotator)
        (updated if assignment.pk else created).append(assignment)
        # An assignment neither reserved nor in work holds no place: its number may be somebody else's by now.
        if assignment.pk is None or assignment.state != Assignment.State.RESERVED:
            assignment.place = min(set(range(len(held[task]) + 1)) - held[task])
            held[task].add(assignment.place)
        if assignment.place >= tasks[task].wants:
            tasks[task].wants = assignment.place + 1
            grown.add(task)
        assignment.state, assignment.submitted_at, assignment.lease_until = Assignment.State.SUBMITTED, now, None
        assignment.skip_reason = ""
        if assignment.draft_version:
            # A draft begun here counts for nothing beside it, and a page that still shows it is stale.
            assignment.draft, assignment.draft_version = {}, assignment.draft_version + 1
        assignment.rebutted_at = now if tasks[task].rebuttal_at else None

    Task.objects.bulk_update([tasks[task] for task in grown], ["wants"], batch_size=500)
    Assignment.objects.bulk_create(created, batch_size=500)
    ended = ["place", "state", "submitted_at", "lease_until", "skip_reason", "rebutted_at", "draft", "draft_version"]
    Assignment.objects.bulk_update(updated, ended, batch_size=500)
    return wanted
