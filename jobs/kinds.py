"""One kind of work is one class; a module whose name ends in `_job` declares it, and is imported at start."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, TypeVarTuple

from django.apps import apps
from django.db.models import OuterRef

from jobs.budget import Budget
from jobs.database_thread import DatabaseThread, in_database_thread
from jobs.leases import Lease
from jobs.models import Job, JobItem, JobItemQuerySet

AnyItem = TypeVar("AnyItem", bound=JobItem)
Subject = TypeVar("Subject")
Resource = TypeVar("Resource")
Given = TypeVarTuple("Given")
Answered = TypeVar("Answered")

CALLS_IN_FLIGHT = 8
# Items whose results are being stored make no call meanwhile.
ITEMS_AT_ONCE = 2 * CALLS_IN_FLIGHT

# Stores the result of an item and settles it: both or neither. Called in the thread that has the database.
Store = Callable[[Lease[Any]], object]
# Does the item with the resource that the worker has opened, in the event loop.
Question = Callable[[Resource], Awaitable[Store]]


class Queue(StrEnum):
    """The queues of the workers: work of seconds to a few minutes, and work of any length."""

    SHORT = "short"
    LONG = "long"


KINDS: dict[str, type["JobKind[Any]"]] = {}


class JobKind(ABC, Generic[AnyItem]):
    """The common part of all kinds. A concrete kind has a name, and is registered by it.

    The queue gets a key: the primary key of the `job`, or without a job the value of the items' path `key` ("pk": every
    row is work by itself). `related`: relations that are read with an item. `window`: the greatest number of keys in
    the queue at once; None: no limit. `retried`: whether a failed row without a job can be tried again by hand; not
    where the failure has deleted what it needs.
    """

    name: ClassVar[str]
    queue: ClassVar[Queue]
    items: ClassVar[type[JobItem]]
    job: ClassVar[type[Job] | None] = None
    key: ClassVar[str] = "pk"
    related: ClassVar[tuple[str, ...]] = ()
    max_attempts: ClassVar[int] = 3
    window: ClassVar[int | None] = None
    retried: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in vars(cls):
            KINDS[cls.name] = cls

    def same_model(self) -> JobItemQuerySet[AnyItem]:
        """The items of every key."""
        return JobItemQuerySet(self.items)

    def all_items(self, key: int) -> JobItemQuerySet[AnyItem]:
        """The items of the key, in any state."""
        return self.same_model().filter(**{self.key: key})

    def same_key(self) -> JobItemQuerySet[AnyItem]:
        """The items of the same key as the job, or where there is none the item, of an outer query."""
        return self.same_model().filter(**{self.key: OuterRef("pk" if self.job else self.key)})

    def for_workers(self, rows: JobItemQuerySet[AnyItem]) -> JobItemQuerySet[AnyItem]:
        """The rows that workers of this site lease: all, unless the kind says otherwise."""
        return rows

    def available(self, rows: JobItemQuerySet[AnyItem]) -> JobItemQuerySet[AnyItem]:
        """The rows that can be leased now."""
        rows = self.for_workers(rows.due())
        return rows.filter(**{f"{self.key}__state__in": self.job.ACTIVE}) if self.job else rows

    def waiting(self, key: int) -> JobItemQuerySet[AnyItem]:
        """The items of the key that can be leased now, with their relations."""
        rows = self.available(self.all_items(key))
        return rows.select_related(*self.related) if self.related else rows

    def is_under_way(self, key: int) -> bool:
        """Whether somebody holds a lease of the key."""
        return self.all_items(key).leased().exists()

    def load_job(self, key: int) -> Any:
        """The job of the key with what `open` and `end` need of it; None where it is gone."""
        return self.job._default_manager.filter(pk=key).first() if self.job else None

    def plan(self) -> None:
        """Make the rows that are due by the clock. Called with every heartbeat of a worker of the queue."""

    def end(self, job: Any) -> None:
        """The end of a job, once every item is settled; it calls `job.finish()`. In the thread that has the database.

        Raises JobError where the job is to stop with that reason.
        """
        job.finish()

    def on_failure(self, item: AnyItem) -> None:
        """Called after an item has failed for good."""


class SyncJobKind(JobKind[AnyItem]):
    """Work of one item at a time, in the thread that has the database."""

    @abstractmethod
    def execute(self, lease: Lease[AnyItem]) -> None:
        """Do the item and settle it by `lease.finish()` or another method of the lease."""


@dataclass(frozen=True)
class WorkerContext:
    """The context in which a worker opens its resources. budget: of the job and shared; None where there is none."""

    key: int
    owner: str
    database_thread: DatabaseThread
    budget: Budget | None

    async def in_database_thread(self, work: Callable[[*Given], Answered], *given: *Given) -> Answered:
        return await in_database_thread(self.database_thread, work, *given)


class AsyncJobKind(JobKind[AnyItem], Generic[Subject, AnyItem, Resource]):
    """Work of many items at once in one event loop.

    `concurrency`: items under way at once in a worker. `alike` are columns in which the items of one opening agree.
    `cancels`: a stopped job gives back the items under way, instead of waiting for their results.
    """

    concurrency: ClassVar[int] = ITEMS_AT_ONCE
    alike: ClassVar[tuple[str, ...]] = ()
    cancels: ClassVar[bool] = False

    @abstractmethod
    def open(self, subject: Subject, context: WorkerContext) -> AbstractAsyncContextManager[Resource]:
        """The resource of the worker for all items, such as an asker or weights. `subject`: the job, or without a job
        the first item. Raises JobError where it cannot be opened."""

    @abstractmethod
    def prepare(self, item: AnyItem) -> Question[Resource]:
        """Read the data of the item, in the thread that has the database."""

    def concurrency_of(self, subject: Subject) -> int:
        return self.concurrency

    def leased_at_once(self, subject: Subject) -> int:
        """Items that are leased and prepared together, at least, once the first ones are under way: more than one
        where many are held that nobody works on yet."""
        return 1

    def prepare_all(self, items: Sequence[AnyItem]) -> Sequence[Question[Resource]]:
        """One for each item; for kinds that read many at once."""
        return [self.prepare(item) for item in items]

    def store_all(self, results: Sequence[tuple[Lease[AnyItem], Store]]) -> None:
        """Store results in one transaction; for kinds that write many at once."""
        for lease, store in results:
            store(lease)


def discover() -> None:
    """Import the modules in which kinds are declared."""
    root = Path(__file__).resolve().parent.parent
    for app in apps.get_app_configs():
        folder = Path(app.path)
        if folder.parent == root:
            for path in sorted(folder.rglob("*_job.py")):
                import_module(".".join(path.relative_to(root).with_suffix("").parts))


def kind_of(model: type[JobItem] | type[Job]) -> type[JobKind[Any]]:
    """The kind whose items or jobs are rows of the model. Raises LookupError where there is none."""
    for kind in KINDS.values():
        if model in (kind.items, kind.job):
            return kind
    raise LookupError(f"No kind of work is registered for {model.__name__}.")
