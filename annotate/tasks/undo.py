"""Undo the last move of tasks where nothing was begun since."""

from collections import defaultdict
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.models import Assignment, AssignmentEvent, Dataset, Message, TaskMove, User
from annotate.models.work import LIVE_STATES
from annotate.tasks.move import MoveError, MoveResult
from annotate.tasks.task_places import Changes, TaskPlaces, change_places

State = Assignment.State
What = AssignmentEvent.What

TAKEN = "somebody else has the place now"
CHANGED = "it was changed since"


def last_move(dataset: Dataset) -> TaskMove | None:
    """The last action on the dataset's tasks, if it still stands."""
    move = dataset.task_moves.select_related("who").first()
    return move if move is not None and move.undone_at is None else None


def undo_move(move: TaskMove, who: User) -> MoveResult:
    """Take the move back wherever its annotators have begun nothing since. Raises MoveError for one that is not the
    last or is undone already."""
    with transaction.atomic():
        last = TaskMove.objects.select_for_update().filter(dataset=move.dataset_id).order_by("-pk").first()
        if last != move or last.undone_at is not None:
            raise MoveError("you can only undo the last action, once")
        TaskMove.objects.filter(pk=move.pk).update(undone_at=timezone.now())
    events: defaultdict[int, list[AssignmentEvent]] = defaultdict(list)
    for event in move.events.exclude(what=What.UNDONE).select_related("annotator", "other").order_by("-pk"):
        events[event.task_id].append(event)
    result = MoveResult(move)

    def change(group: list[TaskPlaces], changes: Changes) -> None:
        written = Message.objects.filter(assignment__task__in=[places.task.pk for places in group])
        with_messages = set(written.values_list("assignment", flat=True))
        for places in group:
            for pair in _pairs(events[places.task.pk]):
                _undo(places, pair, changes, result, who, with_messages)

    change_places(move.dataset, events, change)
    return result


def _pairs(events: list[AssignmentEvent]) -> list[list[AssignmentEvent]]:
    """The events that are undone together: both of a reassignment, else each by itself."""
    return [events] if any(event.other_id for event in events) else [[event] for event in events]


def _undo(
    places: TaskPlaces,
    events: list[AssignmentEvent],
    changes: Changes,
    result: MoveResult,
    who: User,
    with_messages: set[int],
) -> None:
    if why := next(filter(None, (_why_not(places, event) for event in events)), ""):
        result.refuse(why, places.number)
        return
    for event in events:  # the latest first, so that a place is free before it is given back
        row = places.rows[event.annotator_id]
        if event.what == What.ASSIGNED:
            _free(places, row, event, changes, with_messages)
        else:
            place = row.place if row.place not in {each.place for each in places.live()} else places.free_place()
            row.state, row.place = State.RESERVED, place
            changes.occupied.append(row)
        changes.note(row, What.UNDONE, who, move=event.move)
        result.done(places)


def _free(
    places: TaskPlaces, row: Assignment, event: AssignmentEvent, changes: Changes, with_messages: set[int]
) -> None:
    before = event.before or {}
    if "state" not in before and row.pk not in with_messages:
        changes.deleted.append(row.pk)
        del places.rows[row.annotator_id]
    else:
        row.state, row.skip_reason = before.get("state", State.LAPSED), before.get("skip_reason", "")
        lease = before.get("lease_until")
        row.lease_until = datetime.fromisoformat(lease) if lease else None
        changes.vacated.append(row)
    highest = max((each.place for each in places.live()), default=0)
    wants = max(before["wants"], highest + 1)
    if wants < places.task.wants:
        places.task.wants = wants
        changes.grown[places.task.pk] = places.task


def _why_not(places: TaskPlaces, event: AssignmentEvent) -> str:
    row, name = places.rows.get(event.annotator_id), event.annotator.get_username()
    if row is None:
        return CHANGED
    if event.what == What.ASSIGNED:
        begun = row.state in LIVE_STATES and row.state != State.RESERVED
        return f"{name} has begun it" if begun else "" if row.state == State.RESERVED else CHANGED
    if row.state != State.LAPSED or places.task.closed_at is not None:
        return CHANGED
    # Of a reassignment the other's place is free by then.
    held = len(places.live()) - (event.other_id is not None)
    return TAKEN if held >= places.task.wants else ""
