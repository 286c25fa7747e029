"""Calls in flight at an endpoint, kept by all workers together: each has a row that says how many places it holds.

Within its places a worker needs no database. It looks once a second, and when it first wants more, how many it may
have: as many as are free, and when others want places too, its fair share.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from datetime import timedelta
from types import TracebackType
from uuid import uuid4

from django.db import transaction
from django.db.models.functions import Now

from core.events import wait_at_most
from llm.models import ConcurrencyUse, Endpoint

RENEW_SECONDS = 1.0
GATHER_SECONDS = 0.02
GONE_AFTER = timedelta(seconds=30)  # without a sign of life a worker's places are free


def share(limit: int, wanted: int, others: Sequence[tuple[int, int]]) -> int:
    """How many of `limit` places a worker may use that wants so many; others: of each other worker the places that it
    holds and those it wants. All workers that keep to it use at most `limit`, and each gets its part when the others
    have come down to theirs."""
    fair = max(1, limit // (len(others) + 1))
    unclaimed = limit - sum(want for _, want in others)
    free = limit - sum(held for held, _ in others)
    return max(0, min(wanted, max(fair, unclaimed), free))


class ConcurrencyLimiter:
    """An asynchronous context manager around each call."""

    def __init__(self, endpoint: Endpoint, in_flight: int, database: Executor) -> None:
        self._endpoint = endpoint
        self._in_flight = in_flight
        self._database = database
        self._owner = uuid4().hex
        self._allowed = 0
        self._asked = 0
        self._used = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._keeper: asyncio.Task[None] | None = None
        self._short = asyncio.Event()

    async def __aenter__(self) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._fill()
        if not place.done() and self._asked < self._in_flight:
            self._short.set()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._free()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._free()

    async def close(self) -> None:
        """Give all places back."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            await asyncio.get_running_loop().run_in_executor(self._database, self._leave)

    def _free(self) -> None:
        self._used -= 1
        self._fill()

    def _fill(self) -> None:
        while self._waiting and self._used < self._allowed:
            place = self._waiting.popleft()
            if not place.done():
                self._used += 1
                place.set_result(None)

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(GATHER_SECONDS)  # the calls that begin together are asked for together
            self._short.clear()
            self._asked = wanted = min(self._in_flight, self._used + len(self._waiting))
            try:
                self._allowed = await loop.run_in_executor(self._database, self._renew, wanted, self._used)
            except Exception as error:  # noqa: BLE001 - it is raised where the places are awaited
                for place in self._waiting:
                    if not place.done():
                        place.set_exception(error)
                self._waiting.clear()
            self._fill()
            await wait_at_most(self._short, RENEW_SECONDS)

    def _renew(self, wanted: int, used: int) -> int:
        with transaction.atomic():
            endpoint = Endpoint.objects.select_for_update().get(pk=self._endpoint.pk)
            uses = ConcurrencyUse.objects.filter(endpoint=endpoint)
            uses.filter(seen_at__lt=Now() - GONE_AFTER).delete()
            others = list(uses.exclude(owner=self._owner).values_list("held", "wanted"))
            allowed = share(endpoint.max_in_flight or self._in_flight, wanted, others)
            ConcurrencyUse.objects.update_or_create(
                endpoint=endpoint,
                owner=self._owner,
                defaults={"held": max(allowed, used), "wanted": wanted, "seen_at": Now()},
            )
        return allowed

    def _leave(self) -> None:
        ConcurrencyUse.objects.filter(owner=self._owner).delete()
