"""Assign tasks to exactly these people, unassign them, or reassign them from one person to another."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from annotate.models import Assignment, AssignmentEvent, Dataset, Role, Task, TaskMove, User, ViewReceipt
from annotate.tasks.task_places import Changes, TaskPlaces, change_places, drop_empty

State = Assignment.State
What = AssignmentEvent.What
Kind = TaskMove.Kind
MOST_NAMED = 5

SUBMITTED = "submitted work is never moved"
KNOWN = "a task with known answers is served by itself"
CLOSED = "the task is adjudicated and closed"
REBUTTAL = "its rebuttal has begun"
NOBODY = "none of these people has it"


class MoveError(ValueError):
    """The action cannot begin; the message says why. Nothing was changed."""


@dataclass
class MoveResult:
    """What an action did and did not do, with the numbers of the tasks. `move` is None where nothing was changed."""

    move: TaskMove | None = None
    assignments: int = 0
    tasks: set[int] = field(default_factory=set)
    drafts: list[str] = field(default_factory=list)
    refused: dict[str, list[int]] = field(default_factory=dict)

    def refuse(self, why: str, task: int) -> None:
        self.refused.setdefault(why, []).append(task)

    def done(self, places: TaskPlaces) -> None:
        self.assignments += 1
        self.tasks.add(places.number)

    def keep_draft(self, row: Assignment, places: TaskPlaces) -> None:
        if row.draft:
            self.drafts.append(f"{row.annotator.get_username()} on task {places.number}")

    @property
    def remarks(self) -> list[str]:
        """A sentence for the drafts that are kept, and one for each reason why something was not done."""
        kept = [f"Drafts are kept: {_some(self.drafts)}."] if self.drafts else []
        return kept + [f"Not done for {_tasks(numbers)}: {why}." for why, numbers in self.refused.items()]


def assign_tasks(dataset: Dataset, tasks: Collection[int], people: Sequence[User], who: User) -> MoveResult:
    """Assign each of the tasks (primary keys) to each of these people; a task needs more annotators where it must.

    Raises MoveError for a person who is no active annotator of the dataset.
    """
    _check_people(dataset, people)
    result, move = _begin(dataset, Kind.ASSIGN, who)

    def change(group: list[TaskPlaces], changes: Changes) -> None:
        seen = _seen(group, people)
        for places in group:
            _assign(places, people, seen, changes, result, move)

    change_places(dataset, tasks, change)
    return _end(result, move)


def unassign_tasks(dataset: Dataset, tasks: Collection[int], people: Collection[User], who: User) -> MoveResult:
    """Take the tasks (primary keys) from these people; none named: from everybody. Drafts are kept."""
    named = {person.pk for person in people}
    result, move = _begin(dataset, Kind.UNASSIGN, who)

    def change(group: list[TaskPlaces], changes: Changes) -> None:
        for places in group:
            rows = [row for row in places.live() if not named or row.annotator_id in named]
            if not rows:
                result.refuse(NOBODY, places.number)
            for row in rows:
                _unassign(places, row, changes, result, move)

    change_places(dataset, tasks, change)
    return _end(result, move)


def reassign_tasks(dataset: Dataset, tasks: Collection[int], source: User, target: User, who: User) -> MoveResult:
    """Move the tasks (primary keys) from one person to the other, who gets the place. Raises MoveError as
    `assign_tasks`, and for the same person twice."""
    if source == target:
        raise MoveError("choose two different people")
    _check_people(dataset, [target])
    result, move = _begin(dataset, Kind.REASSIGN, who)

    def change(group: list[TaskPlaces], changes: Changes) -> None:
        seen = _seen(group, [target])
        for places in group:
            _reassign(places, source, target, seen, changes, result, move)

    change_places(dataset, tasks, change)
    return _end(result, move)


def need_annotators(dataset: Dataset, tasks: Collection[int], number: int) -> MoveResult:
    """Let each of the tasks (primary keys) need so many annotators. Raises MoveError for fewer than one."""
    if not 1 <= number <= 99:
        raise MoveError("a task needs between 1 and 99 annotators")
    result = MoveResult()

    def change(group: list[TaskPlaces], changes: Changes) -> None:
        for places in group:
            highest = max((row.place for row in places.live()), default=-1)
            why = _why_fixed(places.task)
            if not why and highest >= number:
                why = f"more than {number} {'has' if number == 1 else 'have'} it: unassign somebody first"
            if why:
                result.refuse(why, places.number)
            elif places.task.wants != number:
                places.task.wants = number
                changes.grown[places.task.pk] = places.task
                result.tasks.add(places.number)

    change_places(dataset, tasks, change)
    return result


def find_people(names: Sequence[str]) -> list[User]:
    """In the order of the names. Raises MoveError for a name that nobody has, and for an empty one."""
    people = {person.username: person for person in User.objects.filter(username__in=names)}
    for name in names:
        if name not in people:
            raise MoveError(f"there is no user {name!r}" if name else "choose a person")
    return [people[name] for name in dict.fromkeys(names)]


def _begin(dataset: Dataset, kind: Kind, who: User) -> tuple[MoveResult, TaskMove]:
    return MoveResult(), TaskMove.objects.create(dataset=dataset, kind=kind, who=who)


def _end(result: MoveResult, move: TaskMove) -> MoveResult:
    result.move = drop_empty(move)
    return result


def _assign(
    places: TaskPlaces,
    people: Iterable[User],
    seen: Collection[tuple[int, int]],
    changes: Changes,
    result: MoveResult,
    move: TaskMove,
) -> None:
    for person in people:
        if why := _why_not(places, person, seen):
            result.refuse(why, places.number)
            continue
        before = changes.occupy(places, person, places.free_place())
        row = places.rows[person.pk]
        changes.note(row, What.ASSIGNED, move.who, move=move, before=before)
        result.keep_draft(row, places)
        result.done(places)


def _unassign(places: TaskPlaces, row: Assignment, changes: Changes, result: MoveResult, move: TaskMove) -> None:
    if why := _why_held(row):
        result.refuse(why, places.number)
        return
    before = changes.vacate(row)
    changes.note(row, What.UNASSIGNED, move.who, move=move, before=before)
    result.keep_draft(row, places)
    result.done(places)


def _reassign(
    places: TaskPlaces,
    source: User,
    target: User,
    seen: Collection[tuple[int, int]],
    changes: Changes,
    result: MoveResult,
    move: TaskMove,
) -> None:
    row = next((each for each in places.live() if each.annotator_id == source.pk), None)
    if row is None:
        result.refuse(f"{source.get_username()} does not have it", places.number)
        return
    if why := _why_held(row) or _why_not(places, target, seen):
        result.refuse(why, places.number)
        return
    before = changes.vacate(row)
    changes.note(row, What.UNASSIGNED, move.who, other=target, move=move, before=before)
    before = changes.occupy(places, target, row.place)
    changes.note(places.rows[target.pk], What.ASSIGNED, move.who, other=source, move=move, before=before)
    result.keep_draft(row, places)
    result.done(places)


def _why_held(row: Assignment) -> str:
    """Why the place of a live assignment cannot be freed; "" if it can."""
    return SUBMITTED if row.state == State.SUBMITTED or row.is_returned else ""


def _why_fixed(task: Task) -> str:
    if task.kind != Task.Kind.WORK:
        return KNOWN
    if task.closed_at is not None:
        return CLOSED
    return REBUTTAL if task.rebuttal_at is not None else ""


def _why_not(places: TaskPlaces, person: User, seen: Collection[tuple[int, int]]) -> str:
    """Why the task cannot be assigned to the person; "" if it can."""
    row, name = places.rows.get(person.pk), person.get_username()
    if row is not None and row in places.live():
        return f"{name} has it already"
    if (places.task.pk, person.pk) in seen:
        return f"{name} has seen others' labels of it"
    return _why_fixed(places.task)


def _check_people(dataset: Dataset, people: Sequence[User]) -> None:
    if not people:
        raise MoveError("choose at least one annotator")
    members = dataset.memberships.filter(role=Role.ANNOTATOR, user__is_superuser=False, user__is_active=True)
    annotators = set(members.filter(user__in=people).values_list("user", flat=True))
    for person in people:
        if person.pk not in annotators:
            raise MoveError(f"{person.get_username()} is not an active annotator of this dataset")


def _seen(group: Iterable[TaskPlaces], people: Iterable[User]) -> set[tuple[int, int]]:
    """Who has seen others' labels of which task, in another role."""
    tasks = [places.task.pk for places in group]
    seen = ViewReceipt.objects.filter(task__in=tasks, who__in=people, what=ViewReceipt.What.LABELS)
    return set(seen.values_list("task", "who"))


def _some(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _tasks(numbers: Iterable[int]) -> str:
    distinct = sorted(set(numbers))
    return f"task{'' if len(distinct) == 1 else 's'} {_some([str(number) for number in distinct])}"
