"""Requests and tokens per minute of all workers together, counted in one row.

A worker takes permits ahead: one for each waiting call, and one for each call of the last second. So a call rarely
waits for the database. A permit is good for a second; unused permits are given back (llm/rate_ledger.py).
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from core.events import wait_at_most
from llm.models import Endpoint, RateUse
from llm.rate_ledger import LATE_SECONDS, Ledger, Minute, take_permits

GATHER_SECONDS = 0.01
LOOK_AGAIN_SECONDS = 0.5  # for permits that other workers have given back
MOST_AHEAD = 1000


@dataclass(frozen=True)
class RatePermit:
    """tokens: taken for the call in this second of the epoch."""

    tokens: int
    second: int


@dataclass(frozen=True)
class PermitBatch:
    """Permits taken ahead. moments: the beginning of each, and taken_at: the time of taking, on this process's clock.
    tokens: of all permits, taken in this second of the epoch. requests_at: of the ledger after them."""

    moments: Sequence[float]
    tokens: int
    second: int
    taken_at: float
    requests_at: float


NO_PERMITS = PermitBatch((), 0, 0, 0.0, 0.0)


@dataclass
class LockedLedger:
    """The ledger while its row is locked, and the time of the database's clock."""

    ledger: Ledger
    now: float


class RateLimiter:
    """Awaited with the most tokens that a call can take, it returns a permit once the call may begin."""

    def __init__(self, endpoint: Endpoint, database: Executor) -> None:
        self._endpoint = endpoint
        self._minute = Minute(endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._database = database
        self._waiting: deque[tuple[int, asyncio.Future[RatePermit]]] = deque()
        self._recent: deque[tuple[float, int]] = deque()  # time and tokens of each call of the last second
        self._moments: deque[float] = deque()  # of unused permits, on this process's clock
        self._tokens = 0  # of unused permits
        self._batch = NO_PERMITS
        self._given_back: Counter[int] = Counter()  # tokens, by the second in which they were taken
        self._short = asyncio.Event()
        self._freed = asyncio.Event()
        self._renewal: asyncio.Task[None] | None = None
        self._closed = False

    async def __call__(self, tokens: int) -> RatePermit:
        loop = asyncio.get_running_loop()
        permit: asyncio.Future[RatePermit] = loop.create_future()
        self._waiting.append((tokens if self._minute.tokens else 0, permit))
        if self._renewal is None:
            self._renewal = loop.create_task(self._renew_often())
        self._hand_out()
        return await permit

    def give_back(self, permit: RatePermit, used: int) -> None:
        """Give back the tokens of the permit beyond those used."""
        if self._minute.tokens:
            self._given_back[permit.second] += permit.tokens - used
            self._freed.set()

    async def close(self) -> None:
        """Give back the unused permits, those too that are being taken."""
        if self._renewal is not None:
            self._closed = True
            self._short.set()
            self._freed.set()
            await self._renewal
        if self._batch is not NO_PERMITS:
            await asyncio.get_running_loop().run_in_executor(self._database, self._leave)

    def _hand_out(self) -> None:
        """Give permits to waiting calls in their order. More are taken once half of a batch is used."""
        loop, now = asyncio.get_running_loop(), time.monotonic()
        self._let_lapse(now)
        while self._waiting and self._moments and self._waiting[0][0] <= self._tokens:
            tokens, waiting = self._waiting.popleft()
            if waiting.done():
                continue
            self._tokens -= tokens
            self._recent.append((now, tokens))
            moment = self._moments.popleft()
            if moment > now:
                loop.call_at(moment, _release, waiting, RatePermit(tokens, self._batch.second))
            else:
                waiting.set_result(RatePermit(tokens, self._batch.second))
        if self._waiting or (self._recent and len(self._moments) <= len(self._batch.moments) // 2):
            self._short.set()

    def _let_lapse(self, now: float) -> None:
        while self._recent and self._recent[0][0] < now - 1:
            self._recent.popleft()
        while self._moments and self._moments[0] < now - LATE_SECONDS:
            self._moments.popleft()
        if self._batch.taken_at < now - LATE_SECONDS:
            self._put_down_tokens()

    def _put_down_tokens(self) -> None:
        self._given_back[self._batch.second] += self._tokens
        self._tokens = 0

    async def _renew_often(self) -> None:
        while not self._closed:
            await wait_at_most(self._short, LATE_SECONDS)
            await asyncio.sleep(GATHER_SECONDS)  # calls that begin together get their permits in one transaction
            if self._closed:
                break
            self._short.clear()
            self._freed.clear()
            self._let_lapse(time.monotonic())
            waiting = len(self._waiting)
            costs = [tokens for tokens, _ in self._waiting] + [tokens for _, tokens in self._recent]
            if not costs and not any(self._given_back.values()):
                continue
            await self._renew(costs[:MOST_AHEAD])
            if self._waiting and len(self._batch.moments) < waiting:
                # Until then only this worker's own tokens come back.
                await wait_at_most(self._freed, LOOK_AGAIN_SECONDS)

    async def _renew(self, costs: Sequence[int]) -> None:
        """Take a batch of permits for calls of so many tokens each."""
        given_back, self._given_back = self._given_back, Counter()
        loop = asyncio.get_running_loop()
        try:
            batch = await loop.run_in_executor(self._database, self._take, costs, given_back)
        except Exception as error:  # noqa: BLE001 - raised where the permits are awaited
            self._given_back.update(given_back)
            self._refuse(error)
            return
        self._put_down_tokens()
        self._batch, self._tokens = batch, batch.tokens
        self._moments.extend(batch.moments)
        self._hand_out()

    def _refuse(self, error: Exception) -> None:
        for _, waiting in self._waiting:
            if not waiting.done():
                waiting.set_exception(error)
        self._waiting.clear()

    def _take(self, costs: Sequence[int], given_back: Mapping[int, int]) -> PermitBatch:
        with self._locked_ledger(given_back) as locked:
            waits, locked.ledger = take_permits(self._minute, locked.ledger, locked.now, costs)
            here = time.monotonic()
        return PermitBatch(
            [here + wait for wait in waits], sum(costs[: len(waits)]), int(locked.now), here, locked.ledger.requests_at
        )

    def _leave(self) -> None:
        """Permits go back only where no other worker has taken any after them."""
        self._put_down_tokens()
        unused = min(len(self._moments), len(self._batch.moments))
        with self._locked_ledger(self._given_back) as locked:
            if locked.ledger.requests_at == self._batch.requests_at:
                locked.ledger = locked.ledger.without_last(unused, self._minute.spacing)

    @contextmanager
    def _locked_ledger(self, given_back: Mapping[int, int]) -> Iterator[LockedLedger]:
        """The endpoint's ledger with its row locked; its changes are stored at the end."""
        if self._batch is NO_PERMITS:
            RateUse.objects.get_or_create(endpoint=self._endpoint)
        with transaction.atomic():
            rate_use = RateUse.objects.select_for_update().annotate(now=Now()).get(endpoint=self._endpoint)
            now = rate_use.now.timestamp()
            tokens = {int(second): taken for second, taken in rate_use.tokens.items()}
            locked = LockedLedger(Ledger(rate_use.requests_at, tokens).at(now, given_back), now)
            yield locked
            columns = {"requests_at": locked.ledger.requests_at, "tokens": dict(locked.ledger.tokens)}
            RateUse.objects.filter(pk=rate_use.pk).update(**columns)


def _release(waiting: asyncio.Future[RatePermit], permit: RatePermit) -> None:
    if not waiting.done():
        waiting.set_result(permit)
