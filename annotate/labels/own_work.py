"""An annotator's own work, to be looked up: never anybody else's."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Count, Prefetch
from django.db.models.functions import Coalesce

from annotate.models import Assignment, Dataset, Response, User
from annotate.qualification.controls import waiting_for

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


def next_rebuttal(dataset: Dataset, annotator: User) -> Assignment | None:
    """The annotator's first assignment whose rebuttal waits for them; None where none does."""
    own = Assignment.objects.of(dataset).awaited_in_rebuttal().filter(annotator=annotator)
    return own.order_by("task__rebuttal_at", "task__position").first()


def own_work_page(dataset: Dataset, annotator: User, state: str, number: str | None) -> dict[str, Any]:
    """One page of the annotator's assignments, the latest first, of one state or all; how many there are of each state;
    and how many are `waiting`.

    What is reserved is not listed: a control is not reserved, and would be what opens without having been there.
    """
    own = Assignment.objects.of(dataset).filter(annotator=annotator).exclude(state=Assignment.State.RESERVED)
    counts = dict(own.order_by().values_list("state").annotate(Count("pk")))
    states = [(each.value, each.label, counts[each]) for each in Assignment.State if each in counts]
    if state in Assignment.State.values:
        own = own.filter(state=state)
    prompts = Response.objects.select_related("prompt").only("task_id", "prompt__text", "prompt__topic")
    listed = own.select_related("task").prefetch_related(Prefetch("task__responses", prompts))
    return {
        "page": Paginator(listed.order_by(BEGUN.desc(nulls_last=True), "-pk"), PAGE_SIZE).get_page(number),
        "states": states,
        "state": state,
        "all": sum(counts.values()),
        "waiting": waiting_for(dataset, annotator),
    }


@dataclass(frozen=True)
class WorkPosition:
    """Where an assignment stands in its annotator's work: the keys of its neighbours, and how much is submitted of all
    that they have or will have (annotate/qualification/controls.py)."""

    previous: str | None
    next: str | None
    submitted: int
    all: int

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
    return WorkPosition(previous, following, submitted, begun + waiting + (assignment.state in LEFT))
