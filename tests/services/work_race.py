"""A process of its own for test_work: the same piece of work is asked for in two ways at the same instant.

    python -m tests.services.work_race RACE ROUNDS

Prints each way in which a round ended, once, one a line.
"""

import sys
from collections.abc import Callable
from datetime import timedelta

import django

django.setup()

from django.utils import timezone  # noqa: E402

from annotate.cases.close import close_settled  # noqa: E402
from annotate.judgements.judgement import UnitJudgement  # noqa: E402
from annotate.labels.changes import save_changes  # noqa: E402
from annotate.labels.skip import skip, take_up  # noqa: E402
from annotate.labels.submit import SubmitError, submit  # noqa: E402
from annotate.models import Assignment, Dataset, Label, Segment, Task  # noqa: E402
from annotate.tasks.places import give_back  # noqa: E402
from annotate.tasks.serving import open_next  # noqa: E402
from tests.factories import add_gold, make_dataset, make_person  # noqa: E402
from tests.services.race import new_task, race  # noqa: E402

RIGHT, WRONG = UnitJudgement("supported"), UnitJudgement("not_supported")
HOUR = timedelta(hours=1)


class Round:
    """One task with one place, which Ada has in work; every segment of it is judged right so far."""

    def __init__(self) -> None:
        self.dataset = make_dataset("race")
        Dataset.objects.filter(pk=self.dataset.pk).update(review="bulk")  # nobody has to sign
        self.dataset.refresh_from_db()
        self.ada, self.ben = make_person("ada", self.dataset), make_person("ben", self.dataset)
        self.ended: set[str] = set()
        self.before: Callable[[], object] = lambda: None
        self.now: list[str] = []

    def prepare(self, lease: timedelta = HOUR, state: str = "open", **columns: object) -> None:
        self.settle()
        self.task = new_task(self.dataset)
        self.segments = list(Segment.objects.filter(response__task=self.task))
        self.work = Assignment.objects.create(
            task=self.task,
            annotator=self.ada,
            place=0,
            state=state,
            lease_until=timezone.now() + lease,
            draft={str(segment.pk): RIGHT.stored() for segment in self.segments},
            draft_version=1,
            **columns,
        )
        self.now = ["", ""]

    def settle(self) -> None:
        """Look at what came of the last round."""
        if self.now:
            self.ended.add("; ".join([*self.now, self.look()]))

    def look(self) -> str:
        live = self.task.assignments.live().values_list("annotator__username", "state").order_by("annotator__username")
        held = ", ".join(f"{name} {state}" for name, state in live) or "nobody"
        values = Label.objects.filter(assignment__task=self.task).order_by("segment").values_list("value", flat=True)
        return f"{held}; {' '.join(values) or 'no labels'}"

    def submit(self, place: int) -> None:
        try:
            submit(Assignment.objects.get(pk=self.work.pk))
            self.now[place] = "submitted"
        except SubmitError:
            self.now[place] = "refused"

    def save(self, place: int) -> None:
        """From a page that has seen all there is: every segment is wrong."""
        changes = {str(segment.pk): WRONG for segment in self.segments}
        self.now[place] = save_changes(Assignment.objects.get(pk=self.work.pk), changes, version=1).outcome.value

    def claim(self, place: int) -> None:
        self.now[place] = "nothing" if open_next(self.dataset, self.ben) is None else "claimed"

    def skip(self, place: int) -> None:
        skip(self.work, "I do not know.")
        self.now[place] = "skipped"

    def take_up(self, place: int) -> None:
        self.now[place] = take_up(self.work).state

    def give_back(self, place: int) -> None:
        self.now[place] = "given back" if give_back(self.work) else "refused"

    def close(self, place: int) -> None:
        self.now[place] = f"{close_settled(self.dataset, Task.objects.filter(pk=self.task.pk))} closed"

    def done_by_ben(self) -> None:
        """Ada's time ran out; Ben took the place, submitted, and all of it is settled."""
        self.prepare(-HOUR)
        taken = open_next(self.dataset, self.ben)
        assert taken is not None
        taken.draft = self.work.draft
        taken.save(update_fields=["draft"])
        submit(taken)
        for segment in self.segments:
            add_gold(segment, "supported")


def races(round: Round) -> dict[str, tuple[Callable[[], object], Callable[[int], None], Callable[[int], None]]]:
    """By name: what comes first, and the two moves."""
    return {
        "submit-submit": (round.prepare, round.submit, round.submit),
        "submit-claim": (lambda: round.prepare(-HOUR), round.submit, round.claim),
        "save-submit": (round.prepare, round.save, round.submit),
        "skip-claim": (round.prepare, round.skip, round.claim),
        "take-up-claim": (lambda: round.prepare(state="skipped", skip_reason="x"), round.take_up, round.claim),
        "give-back-submit": (round.prepare, round.give_back, round.submit),
        "save-close": (round.done_by_ben, round.save, round.close),
    }


def main(name: str, rounds: int) -> Dataset:
    round = Round()
    prepare, first, second = races(round)[name]
    race(rounds, lambda: prepare() and None, lambda: first(0), lambda: second(1))
    round.settle()
    print("\n".join(sorted(round.ended)))
    return round.dataset


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
