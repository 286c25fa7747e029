"""An annotator's own work, to be looked up: never anybody else's."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from annotate.models import Assignment, Dataset, Response, SharedMessage, Task, User
from annotate.models.work import AssignmentQuerySet, TaskQuerySet
from annotate.qualification.controls import waiting_for
from annotate.qualification.status import qualification_for
from annotate.tasks.limits import deadlines_of

PAGE_SIZE = 50
# States of work that an annotator no longer has: it is looked up in the list of their work.
LEFT = (Assignment.State.LAPSED, Assignment.State.SKIPPED)
# In the order in which it was begun: work that came as a file was when it came. Nothing reserved has begun.
BEGUN = Coalesce("opened_at", "submitted_at")
# One statement for five figures, for each page of the workbench. No join: PostgreSQL would go through all the tasks for
# one person's few.
WORK_POSITION = """
    WITH live AS (
        SELECT own.id, own.key, own.state, coalesce(own.opened_at, own.submitted_at) AS begun
        FROM annotate_assignment AS own
        WHERE own.annotator_id = %(annotator)s AND own.state IN ('reserved', 'open', 'submitted')
          AND (SELECT dataset_id FROM annotate_task AS task WHERE task.id = own.task_id) = %(dataset)s
    ), here AS (
        SELECT id, coalesce(opened_at, submitted_at) AS begun FROM annotate_assignment WHERE id = %(own)s
    )
    SELECT (SELECT key FROM live WHERE (begun, id) < (SELECT begun, id FROM here) ORDER BY begun DESC, id DESC LIMIT 1),
           (SELECT key FROM live WHERE (begun, id) > (SELECT begun, id FROM here) ORDER BY begun, id LIMIT 1),
           (SELECT count(*) FROM live WHERE state = 'submitted'),
           (SELECT count(*) FROM live WHERE state <> 'reserved'),
           (SELECT count(*) FROM live WHERE state = 'reserved')
"""


def waiting_rebuttals(dataset: Dataset, annotator: User) -> AssignmentQuerySet:
    """The annotator's assignments whose rebuttal waits for them, the oldest first."""
    own = Assignment.objects.of(dataset).awaited_in_rebuttal().filter(annotator=annotator)
    return own.order_by("task__rebuttal_at", "task__position")


def own_work_page(dataset: Dataset, annotator: User, state: str, text: str, number: str | None) -> dict[str, Any]:
    """One page of the annotator's assignments, the latest first, of one state or all, with the text in a prompt or a
    response; how many there are of each state; how many are `waiting`; and the annotator's deadlines."""
    counts = dict(_begun_work(dataset, annotator).order_by().values_list("state").annotate(Count("pk")))
    states = [(each.value, each.label, counts[each]) for each in Assignment.State if each in counts]
    listed = own_work(dataset, annotator, state, text)
    return {
        "page": Paginator(listed.order_by(BEGUN.desc(nulls_last=True), "-pk"), PAGE_SIZE).get_page(number),
        "states": states,
        "state": state,
        "text": text,
        "deadlines": deadlines_of(dataset, annotator),
        "all": sum(counts.values()),
        "waiting": waiting_for(dataset, annotator),
        "untouched": waiting_rebuttals(dataset, annotator).untouched().count(),
    }


def own_work(dataset: Dataset, annotator: User, state: str = "", text: str = "") -> AssignmentQuerySet:
    """The annotator's assignments of one state or all ("messages": with new ones), with the text in a prompt or a
    response; each with its prompts and its number of `new_messages`, and of `new_shared_messages` in the conversation
    of all annotators."""
    own = _begun_work(dataset, annotator)
    if state in Assignment.State.values:
        own = own.filter(state=state)
    unread = Q(messages__read_at__isnull=True, messages__isnull=False) & ~Q(messages__author=annotator.pk)
    to_all = SharedMessage.objects.unread_by_annotator(annotator).order_by().values("task")
    if state == "messages":
        own = own.filter(Q(pk__in=own.filter(unread).values("pk")) | Q(task__in=to_all))
    if text:
        own = own.filter(Exists(Response.objects.filter(task=OuterRef("task")).with_text(text)))
    prompts = Response.objects.select_related("prompt").only("task_id", "text", "prompt__text", "prompt__topic")
    listed = own.select_related("task").prefetch_related(Prefetch("task__responses", prompts))
    number = Subquery(to_all.filter(task=OuterRef("task")).annotate(number=Count("pk")).values("number"))
    return listed.annotate(new_messages=Count("messages", filter=unread), new_shared_messages=number)


def _begun_work(dataset: Dataset, annotator: User) -> AssignmentQuerySet:
    """Without what is reserved: a control is not reserved, and would be what opens without having been there."""
    own = Assignment.objects.of(dataset).filter(annotator=annotator)
    return own.exclude(state=Assignment.State.RESERVED)


@dataclass(frozen=True)
class WorkPosition:
    """Where an assignment stands in its annotator's work: the keys of its neighbours, and how much is submitted of all
    that they have or will have (annotate/qualification/controls.py). `qualification`: the
    number of a task of the qualification and how many there are; None for any other task."""

    previous: str | None
    next: str | None
    submitted: int
    all: int
    qualification: tuple[int, int] | None = None

    @property
    def percent(self) -> int:
        return 100 * self.submitted // self.all if self.all else 0


def work_position_of(assignment: Assignment) -> WorkPosition:
    """The annotator's live assignments of the dataset in the order in which they were begun; counted by the database,
    for they can be many."""
    dataset, annotator = assignment.task.dataset, assignment.annotator
    params = {"dataset": dataset.pk, "annotator": annotator.pk, "own": assignment.pk}
    with connection.cursor() as cursor:
        cursor.execute(WORK_POSITION, params)
        previous, following, submitted, begun, reserved = cursor.fetchone()
    waiting = waiting_for(dataset, annotator) if reserved and dataset.control_share else reserved
    everything = begun + waiting + (assignment.state in LEFT)
    if assignment.task.kind != Task.Kind.QUALIFICATION:
        return WorkPosition(previous, following, submitted, everything)
    asked = qualification_for(dataset, annotator)
    # Its tasks are not reserved: those that are not opened yet come on top.
    everything += asked.never_had_by(annotator).count()
    return WorkPosition(previous, following, submitted, everything, _place_in_qualification(assignment, asked))


def _place_in_qualification(assignment: Assignment, asked: TaskQuerySet) -> tuple[int, int]:
    done = Assignment.objects.filter(task__in=asked, annotator=assignment.annotator, state=Assignment.State.SUBMITTED)
    before = done.filter(submitted_at__lt=assignment.submitted_at) if assignment.submitted_at else done
    return 1 + before.exclude(pk=assignment.pk).count(), asked.count()
