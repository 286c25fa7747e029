"""How many addresses wait for gold, from counts that the database keeps for each task."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Max, Q, Sum

from annotate.cases.addresses import AddressStatus, OpenCase, cases_of, tasks_with_cases
from annotate.cases.triggers import are_there, is_all_counted, note_all
from annotate.models import CaseChange, CaseCount, Dataset, Task

# Changes that are taken in by one transaction: annotators on SQLite wait for it.
BATCH = 2_000
# The number of the lock under which PostgreSQL lets one process count at a time.
LOCK = 0x7C0047


@dataclass(frozen=True)
class CaseCounts:
    """The cases of a dataset (`open_cases`) by status."""

    unanimous: int
    disputed: int
    unjudged: int

    @property
    def total(self) -> int:
        return self.unanimous + self.disputed + self.unjudged

    @property
    def need_a_person(self) -> int:
        """Those that cannot be accepted in bulk."""
        return self.disputed + self.unjudged


def count_cases(dataset: Dataset) -> CaseCounts:
    """The numbers of `open_cases` by status. Reads the tasks that have changed since somebody counted, and sums up."""
    count_changed()
    names = [status.value for status in AddressStatus]
    sums = CaseCount.objects.filter(dataset=dataset).aggregate(**{name: Sum(name, default=0) for name in names})
    return CaseCounts(**sums)


def count_labelled(dataset: Dataset) -> int:
    """The number of tasks of work whose annotators are done and that are not closed, as of the last `count_changed`."""
    counted = CaseCount.objects.filter(dataset=dataset, task__kind=Task.Kind.WORK, task__closed_at__isnull=True)
    return counted.count()


def cases_for_a_person(dataset: Dataset) -> list[OpenCase]:
    """Those of `open_cases` that are not unanimous, in their order."""
    count_changed()
    counted = CaseCount.objects.filter(dataset=dataset).filter(Q(disputed__gt=0) | Q(unjudged__gt=0))
    cases = cases_of(dataset, Task.objects.filter(pk__in=counted.values("pk")))
    return [case for case in cases if case.standing != AddressStatus.UNANIMOUS]


def count_changed() -> None:
    """Count the cases of every task that has changed, some at a time.

    Changes are read first, the tasks after them, and only the changes that were read are deleted: what is committed
    meanwhile leaves a change for the next reader. One process counts at a time, so no older count replaces a newer one.
    Where no trigger notes changes, as while a migration is at work, everything is counted each time.
    """
    if is_all_counted(connection):
        return
    if not are_there(connection):
        note_all(connection)
    while CaseChange.objects.exists():
        with transaction.atomic():
            _lock()
            changes = dict(CaseChange.objects.order_by("pk").values_list("pk", "task_id")[:BATCH])
            _count({*changes.values()})
            CaseChange.objects.filter(pk__in=changes).delete()


def _lock() -> None:
    """Until the transaction ends. On SQLite the transaction itself is the only one that writes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _count(tasks: Collection[int]) -> None:
    CaseCount.objects.filter(pk__in=tasks).delete()
    for dataset in Dataset.objects.filter(tasks__in=tasks).distinct():
        waiting = tasks_with_cases(dataset, tasks).annotate(labelled_at=Max("assignments__submitted_at")).order_by()
        counts = {
            task: CaseCount(task_id=task, dataset=dataset, labelled_at=at)
            for task, at in waiting.values_list("pk", "labelled_at")
        }
        for case in cases_of(dataset, Task.objects.filter(pk__in=counts)) if counts else ():
            name = case.standing.value
            setattr(counts[case.task], name, getattr(counts[case.task], name) + 1)
        CaseCount.objects.bulk_create(counts.values())
