"""Requests and tokens per minute, kept by all workers together: a row says what has been taken.

A worker takes turns ahead, as many as wait and as many again as went in the last second, so that a call rarely waits
for the database. A turn is good for a second; what is not used of it is given back. Minutes are counted longer by what
a turn may be late, so that no minute holds more than its limit (llm/turns.py).
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from llm.models import Endpoint, RateUse
from llm.turns import LATE_SECONDS, Ledger, Minute, take_turns

GATHER_SECONDS = 0.01
LOOK_AGAIN_SECONDS = 0.5  # for what other workers have given back
MOST_AHEAD = 1000


@dataclass(frozen=True)
class Turn:
    """tokens: what was taken for the call, in this second of the epoch."""

    tokens: int
    second: int


@dataclass(frozen=True)
class Lease:
    """Turns taken ahead. moments: from when on each may be used, and taken_at: when, on this process's clock. tokens:
    for all of them, taken in this second of the epoch. requests_at: the ledger's, after them."""

    moments: Sequence[float]
    tokens: int
    second: int
    taken_at: float
    requests_at: float


NO_LEASE = Lease((), 0, 0, 0.0, 0.0)


@dataclass
class Book:
    """The ledger while it is locked, and the moment on the database's clock."""

    ledger: Ledger
    now: float


class RateLimiter:
    """Awaited with the tokens that a call takes at most, it returns its turn when the call may go."""

    def __init__(self, endpoint: Endpoint, database: Executor) -> None:
        self._endpoint = endpoint
        self._minute = Minute(endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._database = database
        self._waiting: deque[tuple[int, asyncio.Future[Turn]]] = deque()
        self._went: deque[tuple[float, int]] = deque()  # when, with how many tokens: the last second's calls
        self._moments: deque[float] = deque()  # of the turns in hand, on this process's clock
        self._tokens = 0  # in hand
        self._lease = NO_LEASE
        self._given_back: Counter[int] = Counter()  # tokens, by the second in which they were taken
        self._short = asyncio.Event()
        self._freed = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def __call__(self, tokens: int) -> Turn:
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[Turn] = loop.create_future()
        self._waiting.append((tokens if self._minute.tokens else 0, turn))
        if self._keeper is None:
            self._keeper = loop.create_task(self._keep())
        self._hand_out()
        return await turn

    def give_back(self, turn: Turn, used: int) -> None:
        """The call took so many tokens, not all that were taken for it."""
        if self._minute.tokens:
            self._given_back[turn.second] += turn.tokens - used
            self._freed.set()

    async def close(self) -> None:
        """Give back what is in hand."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        if self._lease is not NO_LEASE:
            await asyncio.get_running_loop().run_in_executor(self._database, self._leave)

    def _hand_out(self) -> None:
        """Turns to those who wait, in their order, while there are any; more are asked for when half are gone."""
        loop, now = asyncio.get_running_loop(), time.monotonic()
        self._let_lapse(now)
        while self._waiting and self._moments and self._waiting[0][0] <= self._tokens:
            tokens, turn = self._waiting.popleft()
            if turn.done():
                continue
            self._tokens -= tokens
            self._went.append((now, tokens))
            moment = self._moments.popleft()
            if moment > now:
                loop.call_at(moment, _let_go, turn, Turn(tokens, self._lease.second))
            else:
                turn.set_result(Turn(tokens, self._lease.second))
        if self._waiting or (self._went and len(self._moments) <= len(self._lease.moments) // 2):
            self._short.set()

    def _let_lapse(self, now: float) -> None:
        while self._went and self._went[0][0] < now - 1:
            self._went.popleft()
        while self._moments and self._moments[0] < now - LATE_SECONDS:
            self._moments.popleft()
        if self._lease.taken_at < now - LATE_SECONDS:
            self._put_down_tokens()

    def _put_down_tokens(self) -> None:
        self._given_back[self._lease.second] += self._tokens
        self._tokens = 0

    async def _keep(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._short.wait(), LATE_SECONDS)
            await asyncio.sleep(GATHER_SECONDS)  # the calls that begin together are asked for together
            self._short.clear()
            self._freed.clear()
            self._let_lapse(time.monotonic())
            waiting = len(self._waiting)
            costs = [tokens for tokens, _ in self._waiting] + [tokens for _, tokens in self._went]
            if not costs and not any(self._given_back.values()):
                continue
            await self._renew(costs[:MOST_AHEAD])
            if self._waiting and len(self._lease.moments) < waiting:
                with suppress(TimeoutError):  # nothing can be had before, but what was given back here
                    await asyncio.wait_for(self._freed.wait(), LOOK_AGAIN_SECONDS)

    async def _renew(self, costs: Sequence[int]) -> None:
        """A lease for calls that take so many tokens each."""
        given_back, self._given_back = self._given_back, Counter()
        loop = asyncio.get_running_loop()
        try:
            lease = await loop.run_in_executor(self._database, self._take, costs, given_back)
        except Exception as error:  # noqa: BLE001 - it is raised where the turns are awaited
            self._given_back.update(given_back)
            self._refuse(error)
            return
        self._put_down_tokens()
        self._lease, self._tokens = lease, lease.tokens
        self._moments.extend(lease.moments)
        self._hand_out()

    def _refuse(self, error: Exception) -> None:
        for _, turn in self._waiting:
            if not turn.done():
                turn.set_exception(error)
        self._waiting.clear()

    def _take(self, costs: Sequence[int], given_back: Mapping[int, int]) -> Lease:
        with self._ledger(given_back) as book:
            waits, book.ledger = take_turns(self._minute, book.ledger, book.now, costs)
            here = time.monotonic()
        return Lease(
            [here + wait for wait in waits], sum(costs[: len(waits)]), int(book.now), here, book.ledger.requests_at
        )

    def _leave(self) -> None:
        """Turns go back only where nobody has taken others after them."""
        self._put_down_tokens()
        unused = min(len(self._moments), len(self._lease.moments))
        with self._ledger(self._given_back) as book:
            if book.ledger.requests_at == self._lease.requests_at:
                book.ledger = book.ledger.without_last(unused, self._minute.spacing)

    @contextmanager
    def _ledger(self, given_back: Mapping[int, int]) -> Iterator[Book]:
        """The endpoint's ledger, locked; what it is changed to is stored."""
        if self._lease is NO_LEASE:
            RateUse.objects.get_or_create(endpoint=self._endpoint)
        with transaction.atomic():
            rate_use = RateUse.objects.select_for_update().annotate(now=Now()).get(endpoint=self._endpoint)
            now = rate_use.now.timestamp()
            tokens = {int(second): taken for second, taken in rate_use.tokens.items()}
            book = Book(Ledger(rate_use.requests_at, tokens).at(now, given_back), now)
            yield book
            kept = {"requests_at": book.ledger.requests_at, "tokens": dict(book.ledger.tokens)}
            RateUse.objects.filter(pk=rate_use.pk).update(**kept)


def _let_go(waiting: asyncio.Future[Turn], turn: Turn) -> None:
    if not waiting.done():
        waiting.set_result(turn)
