"""One event loop's work on leased rows with one model: one sliding window of calls in flight.

As many hands as the window is wide, and as many again that store meanwhile, each take one row after the other.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar, TypeVarTuple

from django.conf import settings

from annotate.leased.leases import lease_next, renew_leases
from annotate.leased.settle import fail
from annotate.models.leased import Leased, LeasedQuerySet
from jobs.database_thread import DatabaseThread
from jobs.errors import ItemError
from llm.asker import Asker
from llm.errors import AccessRefusedError, BudgetSpentError, EndpointAddressError, EndpointUnavailableError, ModelError

CALLS_IN_FLIGHT = 8
HANDS = 2 * CALLS_IN_FLIGHT
# What no other row can escape.
FATAL = (EndpointAddressError, AccessRefusedError, BudgetSpentError)
Given = TypeVarTuple("Given")
Answered = TypeVar("Answered")
Item = TypeVar("Item", bound=Leased)
# What questions are put to: an Asker, or a model of this process.
Asked = TypeVar("Asked")

# Stores an answer and settles its row, both or neither; nothing where the lease was lost. Done in the database thread.
Store = Callable[[LeasedQuerySet[Any]], None]
# Asks the model. Raises ItemError or ModelError.
Question = Callable[[Asker], Awaitable[Store]]


class Shift(Generic[Item, Asked]):
    """One owner's time on waiting rows, until none is left. `prepare` reads in the database
    thread what a row is to be asked; so many rows are held at once as there are hands."""

    def __init__(
        self,
        waiting: LeasedQuerySet[Item],
        prepare: Callable[[Item], Callable[[Asked], Awaitable[Store]]],
        owner: str,
        database_thread: DatabaseThread,
        hands: int = HANDS,
    ) -> None:
        self._waiting = waiting
        self._rows = type(waiting)(waiting.model)  # all of the kind, whatever has become of them
        self._prepare = prepare
        self._owner = owner
        self._desk = database_thread
        self._hands = hands
        self._unanswered = 0
        self._fatal: ModelError | None = None

    async def work(self, ask: Asked) -> None:
        """Raises the ModelError that makes going on useless."""
        # So many in a row without an answer: the endpoint is down.
        self._silence = min(self._hands, await self._in_database_thread(self._waiting.count))
        renewing = asyncio.create_task(self._renew())
        try:
            async with asyncio.TaskGroup() as hands:
                for _ in range(self._hands):
                    hands.create_task(self._ask_one_after_the_other(ask))
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing
        if self._fatal is not None:
            raise self._fatal

    async def _ask_one_after_the_other(self, ask: Asked) -> None:
        while self._fatal is None:
            leased = await self._in_database_thread(self._lease)
            if leased is None:
                return
            await self._ask_for(*leased, ask)

    def _lease(self) -> tuple[Item, Callable[[Asked], Awaitable[Store]]] | None:
        item = lease_next(self._waiting, self._owner)
        return (item, self._prepare(item)) if item is not None else None

    async def _ask_for(self, item: Item, question: Callable[[Asked], Awaitable[Store]], ask: Asked) -> None:
        try:
            store = await question(ask)
            self._unanswered = 0
            await self._in_database_thread(lambda: store(self._held(item)))
        except FATAL as error:
            self._fatal = self._fatal or error
        except EndpointUnavailableError as error:
            await self._note_silence(item, error)
        except ItemError as error:
            await self._fail(item, error, final=not error.retry)
        except ModelError as error:
            await self._fail(item, error, final=True)

    async def _note_silence(self, item: Item, error: EndpointUnavailableError) -> None:
        """A failure of one, or where nobody gets an answer any more, of all: an endpoint that is down for an hour must
        not be tried for each of them."""
        self._unanswered += 1
        if self._unanswered < self._silence:
            await self._fail(item, error, final=False)
        else:
            self._fatal = self._fatal or error

    async def _fail(self, item: Item, error: Exception, *, final: bool) -> None:
        sentence = str(error)[:1].upper() + str(error)[1:]
        await self._in_database_thread(lambda: fail(self._held(item), item.attempts + 1, sentence, final=final))

    def _held(self, item: Item) -> LeasedQuerySet[Item]:
        return self._rows.held_by(self._owner).filter(pk=item.pk)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(settings.RUN_LEASE_SECONDS / 4)
            await self._in_database_thread(renew_leases, self._rows, self._owner)

    async def _in_database_thread(self, work: Callable[[*Given], Answered], *given: *Given) -> Answered:
        return await asyncio.get_running_loop().run_in_executor(self._desk, work, *given)
