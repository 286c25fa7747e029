"""Requests and tokens per minute, kept by all workers together: a row says when the next call may go.

Calls are spaced evenly, so that no window of any length holds more than its share. A group of calls takes its turns in
one transaction, and only for the next moments: what a killed worker had taken is soon past.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models.functions import Now

from llm.models import Endpoint, Meter

AHEAD_SECONDS = 1.0
LARGEST_GROUP = 200


@dataclass(frozen=True)
class Clock:
    """requests_at, tokens_at: seconds of the epoch from which on the next call may go. request_seconds, token_seconds:
    the share of a minute that one of them takes; 0 without a limit."""

    requests_at: float
    tokens_at: float
    request_seconds: float
    token_seconds: float

    @property
    def opens_at(self) -> float:
        return max(self.requests_at, self.tokens_at)

    def after_call(self, moment: float, tokens: int) -> "Clock":
        return replace(
            self,
            requests_at=moment + self.request_seconds,
            tokens_at=moment + tokens * self.token_seconds,
        )


def take_turns(clock: Clock, now: float, costs: Sequence[int]) -> tuple[list[float], Clock]:
    """Seconds from now at which each call may go, for those whose turn comes within AHEAD_SECONDS; and the clock after
    them. costs: tokens of the calls."""
    waits: list[float] = []
    for tokens in costs:
        moment = max(now, clock.opens_at)
        if moment - now > AHEAD_SECONDS:
            break
        waits.append(moment - now)
        clock = clock.after_call(moment, tokens)
    return waits, clock


class Pace:
    """Awaited with the tokens that a call takes at most, it returns when the call may go."""

    def __init__(self, endpoint: Endpoint, database: Executor) -> None:
        self._endpoint = endpoint
        self._database = database
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._given_back = 0

    async def __call__(self, tokens: int) -> None:
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append((tokens, turn))
        if self._worker is None:
            self._worker = loop.create_task(self._hand_out())
        await turn

    def give_back(self, tokens: int) -> None:
        """So many tokens fewer were taken than had been expected."""
        self._given_back += tokens

    async def _hand_out(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                group = self._waiting[:LARGEST_GROUP]
                given_back, self._given_back = self._given_back, 0
                costs = [tokens for tokens, _ in group]
                waits, pause = await loop.run_in_executor(self._database, self._take, costs, given_back)
                del self._waiting[: len(waits)]
                for wait, (_, turn) in zip(waits, group, strict=False):
                    loop.call_later(wait, _let_go, turn)
                if self._waiting:
                    await asyncio.sleep(pause)
        except Exception as error:  # noqa: BLE001 - it is raised where the turns are awaited
            for _, turn in self._waiting:
                if not turn.done():
                    turn.set_exception(error)
            self._waiting.clear()
        finally:
            self._worker = None

    def _take(self, costs: Sequence[int], given_back: int) -> tuple[list[float], float]:
        """What `take_turns` gives, and the seconds until the next turn comes into sight."""
        Meter.objects.get_or_create(endpoint=self._endpoint)
        with transaction.atomic():
            meter = Meter.objects.select_for_update().annotate(now=Now()).get(endpoint=self._endpoint)
            now = meter.now.timestamp()
            request_seconds = 60 / (self._endpoint.requests_per_minute or float("inf"))
            token_seconds = 60 / (self._endpoint.tokens_per_minute or float("inf"))
            tokens_at = meter.tokens_at - given_back * token_seconds
            clock = Clock(meter.requests_at, tokens_at, request_seconds, token_seconds)
            waits, clock = take_turns(clock, now, costs)
            Meter.objects.filter(pk=meter.pk).update(requests_at=clock.requests_at, tokens_at=clock.tokens_at)
        return waits, max(0.0, clock.opens_at - now - AHEAD_SECONDS)


def _let_go(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
