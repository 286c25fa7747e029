"""A process of its own for test_known_places: people race for tasks with known answers, passes and items to rate.

Prints what came of each race.
"""

import sys
from contextlib import suppress

import django

django.setup()

from django.db.models import Count, F  # noqa: E402

from annotate.models import Assignment, Dataset, Qualification, Sample, SampleItem, SampleRating, Task  # noqa: E402
from annotate.qualification.choose import KindError, set_kind  # noqa: E402
from annotate.qualification.grant import GrantError, grant  # noqa: E402
from annotate.qualification.status import earn  # noqa: E402
from annotate.samples.draw import draw_sample  # noqa: E402
from annotate.tasks.create import create_tasks  # noqa: E402
from annotate.tasks.serving import open_next  # noqa: E402
from ratings.errors import FullError  # noqa: E402
from ratings.rate import rate  # noqa: E402
from tests.annotate.qualification.work import answer, known_task  # noqa: E402
from tests.factories import add_gold, make_dataset, make_person, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402


def overfull(dataset: Dataset) -> int:
    """Tasks that more people hold than they want."""
    held = Task.objects.filter(dataset=dataset).annotate(held=Count("assignments"))
    return held.filter(held__gt=F("wants")).count()


def qualification(rounds: int) -> tuple[object, ...]:
    """Three newcomers, and one of them in two windows, ask for the same qualification task."""
    dataset = make_dataset("qualification")
    Dataset.objects.filter(pk=dataset.pk).update(qualification_pass=0.5)
    dataset.refresh_from_db()
    people = [make_person(name, dataset) for name in ("ada", "ben", "cleo")]

    def prepare() -> None:
        # What was done before counts as done by hand: only the new task is asked of them.
        Task.objects.filter(dataset=dataset).update(kind="control")
        known_task(dataset, "qualification")

    race(rounds, prepare, *(lambda person=person: open_next(dataset, person) for person in (*people, people[0])))
    places = Assignment.objects.filter(task__dataset=dataset)
    return places.count(), places.values("task", "annotator").distinct().count(), overfull(dataset)


def control(rounds: int) -> tuple[object, ...]:
    """Two annotators get the control of the round while the dataset still has a place of work."""
    dataset = make_dataset("control")
    Dataset.objects.filter(pk=dataset.pk).update(control_share=0.99)
    dataset.refresh_from_db()
    people = [make_person(name, dataset) for name in ("ada", "ben")]

    def prepare() -> None:
        Assignment.objects.filter(task__dataset=dataset).update(state="lapsed", lease_until=None)
        Task.objects.filter(dataset=dataset, kind="control").update(kind="qualification")
        known_task(dataset, "control")

    race(rounds, prepare, *(lambda person=person: open_next(dataset, person) for person in people))
    places = Assignment.objects.filter(task__dataset=dataset)
    return places.values("task", "annotator").distinct().count() == places.count(), overfull(dataset)


def changing(rounds: int) -> tuple[object, ...]:
    """Ada asks for work while Dora makes the only task a control: she has it as work, or it is one and not begun."""
    dataset = make_dataset("changing")
    ada = make_person("ada", dataset)
    torn = []

    def prepare() -> None:
        torn.extend(Task.objects.filter(dataset=dataset, closed_at=None, kind="control", assignments__state="open"))
        Task.objects.filter(dataset=dataset).update(closed_at=dataset.created_at)
        for segment in make_response(dataset).segments.all():
            add_gold(segment, "supported")
        create_tasks(dataset)

    def change() -> None:
        newest = Task.objects.filter(dataset=dataset, closed_at=None).values_list("pk", flat=True)
        with suppress(KindError):
            set_kind(dataset, newest, "control")

    race(rounds, prepare, lambda: open_next(dataset, ada), change)
    return len(torn), overfull(dataset)


def passing(rounds: int) -> tuple[object, ...]:
    """Ada earns the pass while Dora grants it: she has it once, and neither of the two fails."""
    dataset = make_dataset("passing")
    Dataset.objects.filter(pk=dataset.pk).update(qualification_pass=0.5)
    dataset.refresh_from_db()
    ada, dora = make_person("ada"), make_person("dora", dataset, "adjudicator")
    member = dataset.memberships.create(user=ada, role="annotator")
    known_task(dataset, "qualification")
    served = open_next(dataset, ada)
    assert served is not None
    answer(served)

    def give() -> None:
        with suppress(GrantError):
            grant(member, dora, "I know her work.")

    passes = Qualification.objects.filter(dataset=dataset)
    race(rounds, lambda: passes.delete() and None, lambda: earn(dataset, ada), give)
    return (passes.count(),)


def rating(rounds: int) -> tuple[object, ...]:
    """Three people rate the same item of a sample that wants two."""
    dataset = make_dataset("rating")
    make_response(dataset)
    people = [make_person(name) for name in ("ada", "ben", "cleo")]
    newest: list[Sample] = []

    def prepare() -> None:
        newest[:] = [draw_sample(dataset, "safety", 1, 2, 7, people[0])]

    def rate_next(person) -> None:  # type: ignore[no-untyped-def]
        item = newest[0].next_item(person)
        if item is not None:
            with suppress(FullError):
                rate(item, person, SampleRating(safe=True, valid=True))

    race(rounds, prepare, *(lambda person=person: rate_next(person) for person in people))
    numbers = SampleItem.objects.annotate(number=Count("ratings")).values_list("number", flat=True)
    return min(numbers), max(numbers)


if __name__ == "__main__":
    for run in (qualification, control, changing, passing, rating):
        print(run.__name__, *run(int(sys.argv[1])))
