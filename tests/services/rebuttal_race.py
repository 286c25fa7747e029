"""A process of its own for test_rebuttals: rebuttals answered, ended and opened at once. Prints what came of it."""

import sys
from contextlib import suppress

import django

django.setup()

from django.utils import timezone  # noqa: E402

from annotate.judgements.judgement import UnitJudgement  # noqa: E402
from annotate.labels.submit import submit  # noqa: E402
from annotate.models import Assignment, Dataset, Label, Task  # noqa: E402
from annotate.rebuttal.answer import (  # noqa: E402
    RebuttalError,
    end_rebuttal,
    let_stand,
    revise,
)
from tests.annotate.adjudication.work import judge, make_task  # noqa: E402
from tests.factories import make_dataset, make_person, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402


def task_in_rebuttal(dataset: Dataset) -> Assignment:
    """A new task on which only Ada has not answered; her assignment."""
    response = make_response(dataset, ["Two is odd."])
    task = make_task(response)
    ada, ben = (judge(task, name, {response.segments.get(): "supported"}) for name in ("ada", "ben"))
    Task.objects.filter(pk=task.pk).update(rebuttal_at=timezone.now())
    Assignment.objects.filter(pk=ben.pk).update(rebutted_at=timezone.now())
    return ada


def changed(assignment: Assignment) -> dict[str, UnitJudgement]:
    return {str(assignment.labels.get().segment_id): UnitJudgement("not_supported")}


def two_tabs(rounds: int) -> None:
    """Ada revises in one tab and lets it stand in the other."""
    dataset, at_stake = make_dataset("tabs"), []

    def revise_it() -> None:
        with suppress(RebuttalError):
            revise(at_stake[0], at_stake[1], at_stake[0].draft_version)

    def let_it_stand() -> None:
        with suppress(RebuttalError):
            let_stand(at_stake[0], at_stake[0].draft_version)

    def prepare() -> None:
        ada = task_in_rebuttal(dataset)
        at_stake[:] = [ada, changed(ada)]

    race(rounds, prepare, revise_it, let_it_stand)
    versions = set(Assignment.objects.of(dataset).filter(annotator__username="ada").values_list("draft_version"))
    print("tabs", Task.objects.filter(dataset=dataset).labelled().count(), versions == {(1,)})


def answer_and_end(rounds: int) -> None:
    """Ada revises while Dora ends the rebuttal: either she was in time, or she is told that it is over."""
    dataset, dora, at_stake = make_dataset("end"), make_person("dora"), []
    outcomes = []

    def revise_it() -> None:
        try:
            revise(at_stake[0], at_stake[1], at_stake[0].draft_version)
            outcomes.append("revised")
        except RebuttalError:
            outcomes.append("refused")

    def end_it() -> None:
        outcomes.append("ended" if end_rebuttal(at_stake[0].task, dora) else "nothing to end")

    def prepare() -> None:
        ada = task_in_rebuttal(dataset)
        at_stake[:] = [ada, changed(ada)]

    race(rounds, prepare, revise_it, end_it)
    revised = Label.objects.of(dataset).filter(revision=1).count()
    ended = Task.objects.filter(dataset=dataset, rebuttal_ended_at__isnull=False).count()
    told = [outcomes.count(each) for each in ("revised", "ended", "refused", "nothing to end")]
    print("end", revised + ended, told == [revised, ended, ended, revised])


def last_two_submit(rounds: int) -> None:
    """Ada and Ben differ and submit at the same instant: the rebuttal opens, whoever was last."""
    dataset, at_stake = make_dataset("last"), []
    dataset.rebuttal = True
    dataset.save()

    def prepare() -> None:
        response = make_response(dataset, ["Two is odd."])
        task = make_task(response)
        segment = str(response.segments.get().pk)
        at_stake[:] = [
            Assignment.objects.create(
                task=task,
                annotator=make_person(name),
                place=place,
                state="open",
                lease_until=timezone.now(),
                draft={segment: UnitJudgement(value).stored()},
            )
            for place, (name, value) in enumerate((("ada", "supported"), ("ben", "not_supported")))
        ]

    race(rounds, prepare, lambda: submit(at_stake[0]), lambda: submit(at_stake[1]))
    print("last", Task.objects.filter(dataset=dataset).in_rebuttal().count())


if __name__ == "__main__":
    for run in (two_tabs, answer_and_end, last_two_submit):
        run(int(sys.argv[1]))
