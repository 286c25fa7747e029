"""An annotator's own work, to be looked up: never anybody else's."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Count, Prefetch

from annotate.models import Assignment, Dataset, Response, User

PAGE_SIZE = 50
# States of work that an annotator no longer has: it is looked up in the list of their work.
LEFT = (Assignment.State.LAPSED, Assignment.State.SKIPPED)
# One statement for four figures, for each page of the workbench. No join: PostgreSQL would go through all the tasks for
# one person's few.
WORK_POSITION = """
    WITH live AS (
        SELECT own.id, own.task_id, own.state
        FROM annotate_assignment AS own
        WHERE own.annotator_id = %(annotator)s AND own.state IN ('reserved', 'open', 'submitted')
          AND (SELECT dataset_id FROM annotate_task AS task WHERE task.id = own.task_id) = %(dataset)s
    )
    SELECT (SELECT id FROM live WHERE task_id < %(task)s ORDER BY task_id DESC LIMIT 1),
           (SELECT id FROM live WHERE task_id > %(task)s ORDER BY task_id LIMIT 1),
           (SELECT count(*) FROM live WHERE state = 'submitted'),
           (SELECT count(*) FROM live)
"""


def next_rebuttal(dataset: Dataset, annotator: User) -> Assignment | None:
    """The annotator's first assignment whose rebuttal waits for them; None where none does."""
    own = Assignment.objects.of(dataset).awaited_in_rebuttal().filter(annotator=annotator)
    return own.order_by("task__rebuttal_at", "task__position").first()


def own_work_page(dataset: Dataset, annotator: User, state: str, number: str | None) -> dict[str, Any]:
    """One page of the annotator's assignments, of one state or all, and how many there are of each state."""
    own = Assignment.objects.of(dataset).filter(annotator=annotator)
    counts = dict(own.order_by().values_list("state").annotate(Count("pk")))
    states = [(each.value, each.label, counts.get(each, 0)) for each in Assignment.State]
    if state in Assignment.State.values:
        own = own.filter(state=state)
    prompts = Response.objects.select_related("prompt").only("task_id", "prompt__text", "prompt__topic")
    listed = (
        own.select_related("task").prefetch_related(Prefetch("task__responses", prompts)).order_by("task__position")
    )
    return {
        "page": Paginator(listed, PAGE_SIZE).get_page(number),
        "states": states,
        "state": state,
        "all": sum(counts.values()),
    }


@dataclass(frozen=True)
class WorkPosition:
    """Where an assignment stands in its annotator's work: its neighbours' primary keys, and how much is submitted."""

    previous: int | None
    next: int | None
    submitted: int
    all: int

    @property
    def percent(self) -> int:
        return 100 * self.submitted // self.all if self.all else 0


def work_position_of(assignment: Assignment) -> WorkPosition:
    """The annotator's live assignments of the dataset in the order of their tasks; counted by the database, for they
    can be many."""
    task = assignment.task
    params = {"dataset": task.dataset_id, "annotator": assignment.annotator_id, "task": task.pk}
    with connection.cursor() as cursor:
        cursor.execute(WORK_POSITION, params)
        previous, following, submitted, live = cursor.fetchone()
    return WorkPosition(previous, following, submitted, live + (assignment.state in LEFT))
