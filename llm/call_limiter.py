"""The way to an endpoint: a call goes through when a place is free, the budget has room and its turn has come.

On the way back its answer is stored and what it took is settled, in one transaction for a group of answers.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from jobs.budget import Budget, Room, Spending
from llm.answer import Answer
from llm.cache import Record, store
from llm.concurrency_limiter import ConcurrencyLimiter
from llm.errors import BudgetSpentError, CallLimitError
from llm.grouped import Grouped
from llm.models import Endpoint
from llm.rate_limiter import RateLimiter, Turn

GATHER_SECONDS = 0.02
LOOK_AGAIN_SECONDS = 1.0  # for what other workers have settled
NOTHING = Spending(0, Decimal(0))


@dataclass(frozen=True)
class Admission:
    """A call that went through: what had been set aside for it, and its turn where the endpoint has a pace."""

    most: Spending
    turn: Turn | None = None

    def took(self, tokens: int | None, usd: Decimal | None) -> Spending:
        """What it took; where the endpoint did not say, what was set aside."""
        return Spending(self.most.tokens if tokens is None else tokens, self.most.usd if usd is None else usd)


@dataclass(frozen=True)
class Settled:
    """records: the answer to be stored, if it is to be stored here."""

    admission: Admission
    spent: Spending
    records: Sequence[Record]


class CallLimiter:
    """in_flight, call_limit, database, budget: as of llm.asker.Asker. `called` counts what was let through."""

    def __init__(
        self, endpoint: Endpoint, in_flight: int, database: Executor, budget: Budget | None, call_limit: int | None
    ) -> None:
        self._places = (
            ConcurrencyLimiter(endpoint, in_flight, database)
            if endpoint.max_in_flight
            else asyncio.Semaphore(in_flight)
        )
        self._pace = RateLimiter(endpoint, database) if endpoint.is_paced else None
        self._budget = budget
        self._hold = Grouped(budget.hold, database) if budget else None
        self._settle = Grouped(self._settle_all, database, GATHER_SECONDS)
        self._settled = asyncio.Event()
        self._call_limit = call_limit
        self.called = 0

    @asynccontextmanager
    async def enter(self, most: Spending) -> AsyncIterator[Admission]:
        """Around a call. Raises CallLimitError or BudgetSpentError. The place is free again at the end, when the answer
        is not stored yet; a call that failed has taken nothing."""
        if self._call_limit is not None and self.called >= self._call_limit:
            raise CallLimitError(f"At most {self._call_limit} calls may be made, and have been.")
        self.called += 1
        async with self._places:
            await self._set_aside(most)
            admission = Admission(most)
            try:
                if self._pace:
                    admission = Admission(most, await self._pace(most.tokens))
                yield admission
            except BaseException:
                await asyncio.shield(self._put_back(admission))
                raise

    async def enter_again(self) -> None:
        """Before another attempt of a call that is inside: a request like any other, for the same tokens."""
        if self._pace:
            await self._pace(0)

    async def store(self, admission: Admission, record: Record) -> Answer:
        """The answer as it is stored, after what it took is settled."""
        prompt, completion = record.completion.prompt_tokens, record.completion.completion_tokens
        tokens = None if prompt is None else prompt + (completion or 0)
        [answer] = await self._settle_one(admission, admission.took(tokens, record.cost_usd), [record])
        return answer

    async def settle(self, admission: Admission, spent: Spending) -> None:
        """Of a call whose answer is stored elsewhere, or that had none."""
        await self._settle_one(admission, spent, [])

    async def _settle_one(self, admission: Admission, spent: Spending, records: Sequence[Record]) -> Sequence[Answer]:
        if self._pace and admission.turn:
            self._pace.give_back(admission.turn, spent.tokens)
        answers = await self._settle(Settled(admission, spent, records))
        self._settled.set()
        return answers

    async def close(self) -> None:
        """Store every answer that has arrived."""
        await self._settle.finish()
        if isinstance(self._places, ConcurrencyLimiter):
            await self._places.close()
        if self._pace:
            await self._pace.close()

    async def _set_aside(self, most: Spending) -> None:
        while self._hold:
            self._settled.clear()
            room = await self._hold(most)
            if room is Room.HELD:
                return
            if room is Room.SPENT:
                raise BudgetSpentError("The budget is spent: the next call could exceed it.")
            try:
                await asyncio.wait_for(self._settled.wait(), LOOK_AGAIN_SECONDS)
            except TimeoutError:
                continue

    async def _put_back(self, admission: Admission) -> None:
        if self._budget or admission.turn:
            await self.settle(admission, NOTHING)

    def _settle_all(self, group: Sequence[Settled]) -> list[list[Answer]]:
        with transaction.atomic():
            stored = iter(store([record for settled in group for record in settled.records]))
            if self._budget:
                self._budget.settle([(settled.admission.most, settled.spent) for settled in group])
        return [[next(stored) for _ in settled.records] for settled in group]
