"""A process of its own for test_leases: leases are renewed and freed while one of their items is stored. Prints how
many each was."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from evaluators.models import RunItem  # noqa: E402
from evaluators.runs.create import create_run  # noqa: E402
from evaluators.runs.run_job import RunJob  # noqa: E402
from jobs.leases import free_expired, lease_items, renew_leases  # noqa: E402
from tests.factories import make_dataset, make_response  # noqa: E402
from tests.waiting import LONGEST  # noqa: E402


def renew(run: int) -> int:
    try:
        return renew_leases(RunJob().all_items(run), "worker")
    finally:
        connection.close()


def free(run: int) -> int:
    """How many wait afterwards."""
    try:
        free_expired(RunJob().all_items(run), RunJob.max_attempts)
        return RunJob().waiting(run).count()
    finally:
        connection.close()


def main() -> None:
    dataset = make_dataset()
    for _ in range(3):
        make_response(dataset)
    run = create_run(dataset, "random").run.pk
    stored, *_ = lease_items(RunJob().waiting(run), "worker", 3, RunJob.max_attempts)
    with ThreadPoolExecutor(1) as thread, transaction.atomic():
        RunItem.objects.select_for_update().get(pk=stored.item.pk)
        renewed = thread.submit(renew, run).result(LONGEST)
    RunItem.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    with ThreadPoolExecutor(1) as thread, transaction.atomic():
        RunItem.objects.select_for_update().get(pk=stored.item.pk)
        freed = thread.submit(free, run).result(LONGEST)
    print(renewed, freed)


if __name__ == "__main__":
    main()
