"""A process of its own for test_moves: adjudicators move tasks while annotators take, submit and skip them.

Prints, of each race, its rounds and how often the database was found wrong.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import django

django.setup()

from django.utils import timezone  # noqa: E402

from annotate.labels.skip import SkipError, skip  # noqa: E402
from annotate.labels.submit import SubmitError, submit  # noqa: E402
from annotate.models import Assignment, Dataset, Task, User  # noqa: E402
from annotate.tasks.move import MoveError, assign_tasks, reassign_tasks, unassign_tasks  # noqa: E402
from annotate.tasks.serving import open_next  # noqa: E402
from annotate.tasks.undo import last_move, undo_move  # noqa: E402
from tests.factories import make_dataset, make_person  # noqa: E402
from tests.services.race import new_task, race  # noqa: E402


class MovingLab:
    """A dataset whose only open task is at stake; its annotator is Ada."""

    def __init__(self, name: str) -> None:
        self.dataset: Dataset = make_dataset(name)
        self.people: dict[str, User] = {who: make_person(who, self.dataset) for who in ("ada", "ben", "cleo")}
        self.dora = make_person("dora", self.dataset, "adjudicator")
        self.emil = make_person("emil", self.dataset, "adjudicator")
        self.wrong = 0

    def begin(self) -> None:
        """A new task; of the last one no more people hold a place than it needs, and nothing submitted was moved."""
        self.check()
        self.task = new_task(self.dataset)

    def begin_held(self) -> None:
        """The same, and Ada has it in work with everything judged."""
        self.begin()
        (segment, other) = self.task.responses.get().segments.all()
        draft = {str(unit.pk): {"value": "supported"} for unit in (segment, other)}
        until = timezone.now() + timedelta(hours=1)
        self.own = Assignment.objects.create(
            task=self.task, annotator=self.people["ada"], place=0, state="open", lease_until=until, draft=draft
        )

    def check(self) -> None:
        for task in Task.objects.filter(dataset=self.dataset):
            live = task.assignments.live()
            moved = task.assignments.filter(labels__isnull=False).exclude(state="submitted")
            places = list(live.values_list("place", flat=True))
            self.wrong += len(places) > task.wants or len(set(places)) < len(places) or moved.exists()

    def assign(self, who: User, *names: str) -> None:
        assign_tasks(self.dataset, [self.task.pk], [self.people[name] for name in names], who)

    def unassign(self) -> None:
        unassign_tasks(self.dataset, [self.task.pk], [], self.dora)

    def reassign(self) -> None:
        reassign_tasks(self.dataset, [self.task.pk], self.people["ada"], self.people["ben"], self.dora)

    def take(self, name: str) -> None:
        open_next(self.dataset, self.people[name])

    def submit(self) -> None:
        with suppress(SubmitError):
            submit(self.own)

    def skip(self) -> None:
        with suppress(SkipError):
            skip(self.own, "Chemistry.")

    def undo(self) -> None:
        move = last_move(self.dataset)
        with suppress(MoveError):
            if move is not None:
                undo_move(move, self.emil)


def main(rounds: int) -> None:
    races: dict[str, Callable[[MovingLab], tuple[Callable[[], None], ...]]] = {
        "assigned twice and taken": lambda lab: (
            lab.begin,
            lambda: lab.assign(lab.dora, "ada", "ben"),
            lambda: lab.assign(lab.emil, "ben", "cleo"),
            lambda: lab.take("ada"),
        ),
        "unassigned and submitted": lambda lab: (lab.begin_held, lab.unassign, lab.submit, lambda: lab.take("cleo")),
        "reassigned and submitted": lambda lab: (lab.begin_held, lab.reassign, lab.submit, lambda: lab.take("cleo")),
        "reassigned and skipped": lambda lab: (lab.begin_held, lab.reassign, lab.skip, lambda: lab.take("cleo")),
        "undone and taken": lambda lab: (
            lambda: (lab.begin(), lab.assign(lab.dora, "ada", "ben"), None)[-1],
            lab.undo,
            lambda: lab.take("ada"),
            lambda: lab.take("cleo"),
        ),
    }
    for name, of in races.items():
        lab = MovingLab(name)
        prepare, *moves = of(lab)
        race(rounds, prepare, *moves)
        lab.check()
        print(f"{name}: {Task.objects.filter(dataset=lab.dataset).count()} rounds, {lab.wrong} wrong")


if __name__ == "__main__":
    main(int(sys.argv[1]))
