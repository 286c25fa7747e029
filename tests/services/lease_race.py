"""A process of its own for test_leases: owners lease a run's items at once. Prints what came of it."""

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import django

django.setup()

from django.db import connection  # noqa: E402

from evaluators.models import Run, RunItem  # noqa: E402
from evaluators.runs.create import create_run  # noqa: E402
from evaluators.runs.run_job import RunJob  # noqa: E402
from jobs.leases import lease_items  # noqa: E402
from tests.factories import make_dataset, make_response  # noqa: E402
from tests.waiting import LONGEST  # noqa: E402

OWNERS = 4


def lease_all(run: Run, owner: str, start: Barrier) -> list[int]:
    """The items that one owner gets, a few at a time, until there are none."""
    got: list[int] = []
    try:
        start.wait(LONGEST)
        while leases := lease_items(RunJob().waiting(run.pk), owner, 3, RunJob.max_attempts):
            got += [lease.item.pk for lease in leases]
    finally:
        connection.close()
    return got


def main(rounds: int) -> None:
    dataset = make_dataset()
    for _ in range(40):
        make_response(dataset)
    run = create_run(dataset, "random").run
    worst = 0
    for _ in range(rounds):
        start = Barrier(OWNERS)
        with ThreadPoolExecutor(OWNERS) as threads:
            races = [threads.submit(lease_all, run, str(place), start) for place in range(OWNERS)]
            leased = Counter(item for race in races for item in race.result())
        assert len(leased) == 40, len(leased)
        worst = max(worst, *leased.values())
        RunItem.objects.all().give_back()
    print(rounds, worst)


if __name__ == "__main__":
    main(int(sys.argv[1]))
