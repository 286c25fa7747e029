"""A process of its own for test_last_place: people race for places, a connection each. Prints what came of it."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotate.labels.draft import save_draft  # noqa: E402
from annotate.models import Assignment, Dataset, Task  # noqa: E402
from annotate.tasks.create import create_tasks  # noqa: E402
from annotate.tasks.serving import open_next  # noqa: E402
from tests.factories import make_dataset, make_person, make_response  # noqa: E402
from tests.waiting import LONGEST  # noqa: E402


def race(rounds: int, prepare: Callable[[], None], *moves: Callable[[], object]) -> None:
    """Every round: prepare, then all moves at once, each always in its own thread."""
    together = Barrier(len(moves))

    def run(place: int) -> None:
        try:
            for _ in range(rounds):
                together.wait(LONGEST)
                if place == 0:
                    prepare()
                together.wait(LONGEST)
                moves[place]()
        except BaseException:
            together.abort()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(len(moves)) as threads:
        for done in [threads.submit(run, place) for place in range(len(moves))]:
            done.result()


def new_task(dataset: Dataset) -> Task:
    """The dataset's only open task, which wants one annotator."""
    Task.objects.filter(dataset=dataset).update(closed_at=timezone.now())
    make_response(dataset)
    create_tasks(dataset)
    return Task.objects.get(dataset=dataset, closed_at=None)


def newcomers(rounds: int) -> Dataset:
    """Ada and Ben both ask for the next task, and there is one place."""
    dataset = make_dataset("newcomers")
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    race(rounds, lambda: new_task(dataset) and None, lambda: open_next(dataset, ada), lambda: open_next(dataset, ben))
    return dataset


def latecomer(rounds: int) -> Dataset:
    """Cleo, whose time has run out, saves while Dan asks for the next task."""
    dataset = make_dataset("latecomer")
    cleo, dan = make_person("cleo", dataset), make_person("dan", dataset)
    late: list[Assignment] = []

    def prepare() -> None:
        past = timezone.now() - timedelta(hours=1)
        late[:] = [
            Assignment.objects.create(task=new_task(dataset), annotator=cleo, place=0, state="open", lease_until=past)
        ]

    race(rounds, prepare, lambda: save_draft(late[0], {}, 0), lambda: open_next(dataset, dan))
    return dataset


if __name__ == "__main__":
    for run in (newcomers, latecomer):
        dataset = run(int(sys.argv[1]))
        live = [task.assignments.live().count() for task in Task.objects.filter(dataset=dataset)]
        print(dataset.name, len(live), min(live), max(live))
