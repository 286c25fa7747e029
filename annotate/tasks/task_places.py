"""The places of locked tasks, changed by hand and written together."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.db import transaction

from annotate.models import Assignment, AssignmentEvent, Dataset, Task, TaskMove, User
from annotate.models.work import LIVE_STATES

State = Assignment.State
What = AssignmentEvent.What
# Tasks that are locked, changed and written in one transaction: annotators wait for no more.
AT_A_TIME = 200
COLUMNS = ["state", "place", "lease_until", "skip_reason", "left_at"]


@dataclass
class TaskPlaces:
    """A locked task with its assignments by annotator (primary key)."""

    task: Task
    rows: dict[int, Assignment]

    @property
    def number(self) -> int:
        return self.task.position + 1

    def live(self) -> list[Assignment]:
        return [row for row in self.rows.values() if row.state in LIVE_STATES]

    def free_place(self) -> int:
        """The lowest place that nobody holds; it may be one more than the task needs."""
        held = {row.place for row in self.live()}
        return next(place for place in count() if place not in held)


@dataclass
class Changes:
    """What one transaction writes at its end: rows, events and the numbers of annotators that tasks need."""

    created: list[Assignment] = field(default_factory=list)
    vacated: list[Assignment] = field(default_factory=list)
    occupied: list[Assignment] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    grown: dict[int, Task] = field(default_factory=dict)
    events: list[AssignmentEvent] = field(default_factory=list)

    def occupy(self, places: TaskPlaces, annotator: User, place: int) -> dict[str, Any]:
        """Reserve the place for the annotator; return what that replaced, for `AssignmentEvent.before`."""
        task, row = places.task, places.rows.get(annotator.pk)
        before = {"wants": task.wants}
        if place >= task.wants:
            task.wants = place + 1
            self.grown[task.pk] = task
        if row is None:
            row = Assignment(task=task, annotator=annotator, place=place)
            places.rows[annotator.pk] = row
            self.created.append(row)
            return before
        before |= columns_of(row)
        row.state, row.place, row.lease_until, row.left_at, row.skip_reason = State.RESERVED, place, None, None, ""
        self.occupied.append(row)
        return before

    def vacate(self, row: Assignment) -> dict[str, Any]:
        """Free the place of a reserved or open assignment; return what that replaced."""
        before = columns_of(row)
        row.state, row.lease_until = State.LAPSED, None
        self.vacated.append(row)
        return before

    def note(self, row: Assignment, what: What, who: User | None, **more: Any) -> None:
        self.events.append(
            AssignmentEvent(task_id=row.task_id, annotator_id=row.annotator_id, what=what, who=who, **more)
        )

    def write(self) -> None:
        """Places are freed before they are taken: the database allows one live assignment a place at any moment."""
        Assignment.objects.filter(pk__in=self.deleted).delete()
        Assignment.objects.bulk_update(self.vacated, COLUMNS)
        Task.objects.bulk_update(self.grown.values(), ["wants"])
        Assignment.objects.bulk_update(self.occupied, COLUMNS)
        Assignment.objects.bulk_create(self.created)
        AssignmentEvent.objects.bulk_create(self.events)


def columns_of(row: Assignment) -> dict[str, Any]:
    lease = row.lease_until.isoformat() if row.lease_until else None
    return {"state": row.state, "skip_reason": row.skip_reason, "lease_until": lease}


def change_places(
    dataset: Dataset, tasks: Collection[int], change: Callable[[list[TaskPlaces], Changes], None]
) -> None:
    """Call `change` for some of the tasks (primary keys) at a time, each time in a transaction that ends by writing
    what was changed.

    Tasks are locked in the order of their keys and before their assignments, as everywhere.
    """
    in_order = sorted(tasks)
    for start in range(0, len(in_order), AT_A_TIME):
        some = in_order[start : start + AT_A_TIME]
        with transaction.atomic():
            locked = Task.objects.select_for_update().filter(dataset=dataset, pk__in=some).order_by("pk")
            places = {task.pk: TaskPlaces(task, {}) for task in locked}
            rows = Assignment.objects.select_for_update(of=("self",)).select_related("annotator")
            for row in rows.filter(task__in=places).order_by("pk"):
                row.task = places[row.task_id].task
                places[row.task_id].rows[row.annotator_id] = row
            changes = Changes()
            change(list(places.values()), changes)
            changes.write()


def drop_empty(move: TaskMove) -> TaskMove | None:
    """The move; None and no row where nothing was changed."""
    if move.events.exists():
        return move
    move.delete()
    return None
