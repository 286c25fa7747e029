"""One event loop's work on items: one sliding window of items under way.

There is a runner for each place of the window. A runner takes leased items one by one, so a free place is filled at
once. A bookkeeper stores results in groups, leases the next items and checks that the job is still active.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import transaction

from core.events import wait_at_most
from jobs.errors import JobError, UnavailableError
from jobs.kinds import AsyncJobKind, Question, Store, WorkerContext
from jobs.leases import Lease, is_alone, lease_items
from jobs.models import JobItem, JobItemQuerySet, JobQuerySet
from jobs.policy import DATABASE_AWAY, cause_of, settle_failure

LARGEST_GROUP = 100
LONGEST_WAIT = 0.25  # seconds between two looks at the books

AnyItem = TypeVar("AnyItem", bound=JobItem)
Resource = TypeVar("Resource")
Result = tuple[Lease[Any], Store | Exception]
Assignment = tuple[Lease[Any], Question[Any]]


class WorkerLoop(Generic[AnyItem, Resource]):
    """One owner's work on waiting items, from the first leases until nothing is left to lease.

    `first`: leases that the owner holds already. `at_once`: places that have to be free before more items are leased.
    """

    def __init__(
        self,
        kind: AsyncJobKind[Any, AnyItem, Resource],
        waiting: JobItemQuerySet[AnyItem],
        first: Sequence[Lease[AnyItem]],
        concurrency: int,
        at_once: int,
        context: WorkerContext,
    ) -> None:
        self._kind = kind
        self._waiting = waiting
        self._first = first
        self._concurrency = concurrency
        self._at_once = at_once
        # The other items go on while so many are stored.
        self._group = min(LARGEST_GROUP, max(1, concurrency // 4))
        self._context = context
        self._held = 0
        self._alone = False
        self._queue: asyncio.Queue[Assignment] = asyncio.Queue()
        self._results: list[Result] = []
        self._news = asyncio.Event()
        self._error: Exception | None = None
        self._unanswered = 0

    async def work(self, resource: Resource) -> None:
        """Raises the JobError that makes going on useless, once the items under way have ended; or the error of a
        database that is out of reach, at once."""
        # So many unanswered items in a row mean that the service is down.
        waiting = await self._context.in_database_thread(self._waiting.count)
        self._silence = max(1, min(self._concurrency, waiting + len(self._first)))
        runners = [asyncio.create_task(self._run_items(resource)) for _ in range(self._concurrency)]
        try:
            while await self._keep_books():
                await self._wait_for_news()
        finally:
            for runner in runners:
                runner.cancel()
            await asyncio.gather(*runners, return_exceptions=True)
        if self._results and not isinstance(self._error, DATABASE_AWAY):
            await self._context.in_database_thread(self._write_books, self._results, 0)
        if self._error is not None:
            raise self._error

    async def _run_items(self, resource: Resource) -> None:
        while True:
            lease, question = await self._queue.get()
            if self._error is None:
                await self._run_one(lease, question, resource)
            else:
                self._held -= 1  # its lease is given back at the end
            if self._error or len(self._results) >= min(self._group, self._held):
                self._news.set()
            await asyncio.sleep(0)  # an item that never waits would keep the bookkeeper from its turn

    async def _run_one(self, lease: Lease[Any], question: Question[Resource], resource: Resource) -> None:
        try:
            store = await question(resource)
        except Exception as error:  # noqa: BLE001 - settled as the policy of errors says
            self._note_error(lease, cause_of(error))
        else:
            self._unanswered = 0
            self._results.append((lease, store))

    def _note_error(self, lease: Lease[Any], error: Exception) -> None:
        """A failure of the item, or of all items: a service that is down for an hour must not use up the attempts of
        every item."""
        if isinstance(error, UnavailableError):
            self._unanswered += 1
            error = error if self._unanswered < self._silence else JobError(str(error))
        if isinstance(error, (JobError, *DATABASE_AWAY)):
            self._error = self._error or error
            self._held -= 1
        else:
            self._results.append((lease, error))

    async def _keep_books(self) -> bool:
        """Store, lease, hand out; whether there is anything to wait for."""
        if isinstance(self._error, DATABASE_AWAY):
            return False
        results, self._results = self._results, []
        begins = bool(self._first)
        room = self._room(still_held=self._held - len(results))
        if results or begins or self._kind.cancels:
            assignments = await self._context.in_database_thread(self._write_books, results, room)
            if assignments is None:
                return False
            self._held += len(assignments) - len(results)
            for assignment in assignments:
                self._queue.put_nowait(assignment)
        return self._held > 0

    def _room(self, still_held: int) -> int:
        """Places for which items are to be leased now."""
        free = self._concurrency - still_held
        waits = still_held > 0 and free < self._at_once
        return 0 if self._error or self._alone or waits else free

    def _write_books(self, results: Sequence[Result], room: int) -> list[Assignment] | None:
        """The items that start now; None where the job is no longer wanted, and its items are given back."""
        self._store([result for result in results if not isinstance(result[1], Exception)])
        for lease, error in results:
            if isinstance(error, Exception):
                settle_failure(self._kind, lease, error)
        if self._kind.cancels and not self._is_wanted():
            return None
        if self._alone and results:
            self._alone, room = False, self._concurrency
        return self._assign(room)

    def _assign(self, room: int) -> list[Assignment]:
        """Lease and prepare items until the room is filled; items that cannot be prepared fail."""
        assignments: list[Assignment] = []
        while self._error is None and len(assignments) < room and not self._alone:
            wanted = room - len(assignments)
            leases, self._first = self._first, []
            leases = leases or self._lease(wanted)
            if not leases:
                break
            self._alone = is_alone(leases[0], self._kind.max_attempts)
            prepared = self._prepare(leases)
            assignments += prepared
            self._alone = self._alone and bool(prepared)
            if prepared and len(leases) < wanted:  # there are no more
                break
        return assignments

    def _lease(self, room: int) -> Sequence[Lease[AnyItem]]:
        holds_none = room == self._concurrency
        return lease_items(self._waiting, self._context.owner, room, self._kind.max_attempts, holds_none=holds_none)

    def _prepare(self, leases: Sequence[Lease[AnyItem]]) -> list[Assignment]:
        def prepare(group: Sequence[Lease[AnyItem]]) -> list[Assignment]:
            return list(zip(group, self._kind.prepare_all([lease.item for lease in group]), strict=True))

        return self._in_group_or_singly(leases, prepare)

    def _store(self, results: Sequence[Result]) -> None:
        def store(group: Sequence[Result]) -> list[None]:
            with transaction.atomic():
                self._kind.store_all(group)  # type: ignore[arg-type]
            return []

        if results:
            self._in_group_or_singly(results, store)

    def _in_group_or_singly(self, group: Sequence[Any], work: Callable[[Sequence[Any]], list[Any]]) -> list[Any]:
        """The work done on the group. Where that breaks off each is tried alone, so that one that is faulty spoils no
        other; it has failed."""
        try:
            return work(group)
        except Exception as error:
            cause = cause_of(error)
            if isinstance(cause, DATABASE_AWAY):
                raise cause from error
        if len(group) > 1:
            return [done for each in group for done in self._in_group_or_singly([each], work)]
        if isinstance(cause, JobError):
            self._error = self._error or cause
        else:
            settle_failure(self._kind, _lease_in(group[0]), cause)
        return []

    def _is_wanted(self) -> bool:
        """Whether the job exists and is not stopped. Where its budget is spent, items under way end."""
        job = self._kind.job
        return job is None or JobQuerySet(job).filter(pk=self._context.key).exclude(state=job.STOPPED).exists()

    async def _wait_for_news(self) -> None:
        await wait_at_most(self._news, LONGEST_WAIT)
        self._news.clear()


def _lease_in(entry: Any) -> Lease[Any]:
    return entry if isinstance(entry, Lease) else entry[0]
