"""The limits before a call: places in flight, the budget, and the rate of the endpoint.

After the call its answer is stored and its spending settled, in one transaction for a group of answers.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from core.events import wait_at_most
from jobs.budget import UNHELD, Budget, Room, Spending
from llm.answer import Answer
from llm.cache import Record, store
from llm.concurrency_limiter import ConcurrencyLimiter
from llm.errors import BudgetSpentError, CallLimitError, UnknownPriceError
from llm.grouped import Grouped
from llm.models import Endpoint
from llm.rate_limiter import RateLimiter, RatePermit

GATHER_SECONDS = 0.02
LOOK_AGAIN_SECONDS = 1.0  # for budget that other workers have settled
PERMITTED_SECONDS = 1.0  # a permission is asked for again after so long

Permitted = Callable[[], None]


def always() -> None:
    """Calls may be made, whoever asks."""


@dataclass(frozen=True)
class Admission:
    """An admitted call. most: the spending held for it. permit: where the endpoint has a rate limit."""

    most: Spending
    permit: RatePermit | None = None

    def took(self, tokens: int | None, usd: Decimal | None) -> Spending:
        """Its spending; where the endpoint does not give it, the spending that was held."""
        return Spending(self.most.tokens if tokens is None else tokens, self.most.usd if usd is None else usd)


@dataclass(frozen=True)
class SettledCall:
    """A call and its spending. records: its answer; empty where the answer is stored elsewhere."""

    admission: Admission
    spent: Spending
    records: Sequence[Record]


class CallLimiter:
    """in_flight, call_limit, database, budget, permitted: as of llm.asker.Asker. `called` counts admitted calls."""

    def __init__(
        self,
        endpoint: Endpoint,
        in_flight: int,
        database: Executor,
        budget: Budget | None,
        call_limit: int | None,
        permitted: Permitted = always,
    ) -> None:
        self._places = (
            ConcurrencyLimiter(endpoint, in_flight, database)
            if endpoint.max_in_flight
            else asyncio.Semaphore(in_flight)
        )
        self._rate = RateLimiter(endpoint, database) if endpoint.is_paced else None
        self._budget = budget
        self._hold = Grouped(budget.hold, database) if budget else None
        self._settle = Grouped(self._settle_all, database, GATHER_SECONDS)
        self._settled = asyncio.Event()
        self._call_limit = call_limit
        self._database = database
        self._permitted = permitted
        self._ask_permission_at = 0.0
        self.called = 0

    @asynccontextmanager
    async def enter(self, most: Spending, model: str) -> AsyncIterator[Admission]:
        """Around a call of the model. Raises CallLimitError, BudgetSpentError, UnknownPriceError, or as `permitted`
        does.

        The place is free again at the end, before the answer is stored; a call that failed has spent nothing.
        """
        if self._call_limit is not None and self.called >= self._call_limit:
            raise CallLimitError(f"At most {self._call_limit} calls may be made, and have been.")
        self.called += 1
        async with self._places:
            await self._ask_permission()
            await self._hold_budget(most, model)
            admission = Admission(most)
            try:
                if self._rate:
                    admission = Admission(most, await self._rate(most.tokens))
                yield admission
            except BaseException:
                await asyncio.shield(self._put_back(admission))
                raise

    async def enter_again(self) -> None:
        """Before another attempt of an admitted call: another request, for the same tokens."""
        if self._rate:
            await self._rate(0)

    async def store(self, admission: Admission, record: Record) -> Answer:
        """Settle the spending of the call, and return its answer as it is stored."""
        prompt, completion = record.completion.prompt_tokens, record.completion.completion_tokens
        tokens = None if prompt is None else prompt + (completion or 0)
        [answer] = await self._settle_one(admission, admission.took(tokens, record.counted_usd), [record])
        return answer

    async def settle(self, admission: Admission, spent: Spending) -> None:
        """Settle the spending of a call whose answer is stored elsewhere, or that has none."""
        await self._settle_one(admission, spent, [])

    async def _settle_one(self, admission: Admission, spent: Spending, records: Sequence[Record]) -> Sequence[Answer]:
        if self._rate and admission.permit:
            self._rate.give_back(admission.permit, spent.tokens)
        answers = await self._settle(SettledCall(admission, spent, records))
        self._settled.set()
        return answers

    async def close(self) -> None:
        """Store every answer that has arrived."""
        await self._settle.finish()
        if isinstance(self._places, ConcurrencyLimiter):
            await self._places.close()
        if self._rate:
            await self._rate.close()

    async def _ask_permission(self) -> None:
        """Raises as `permitted` does."""
        now = time.monotonic()
        if self._permitted is not always and now >= self._ask_permission_at:
            self._ask_permission_at = now + PERMITTED_SECONDS
            await asyncio.get_running_loop().run_in_executor(self._database, self._permitted)

    async def _hold_budget(self, most: Spending, model: str) -> None:
        while self._budget and self._hold:
            self._settled.clear()
            room = await self._hold(most)
            if room is Room.HELD:
                return
            if room is Room.SPENT:
                raise BudgetSpentError(self._budget.reached)
            if room is Room.UNPRICED:
                raise UnknownPriceError(
                    f"What {model} costs is not known, so no limit in dollars can be kept to: enter its prices of "
                    "prompts and answers on the page of endpoints."
                )
            await wait_at_most(self._settled, LOOK_AGAIN_SECONDS)

    async def _put_back(self, admission: Admission) -> None:
        if self._budget or admission.permit:
            await self.settle(admission, UNHELD)

    def _settle_all(self, group: Sequence[SettledCall]) -> list[list[Answer]]:
        with transaction.atomic():
            stored = iter(store([record for call in group for record in call.records]))
            if self._budget:
                self._budget.settle([(call.admission.most, call.spent) for call in group])
        return [[next(stored) for _ in call.records] for call in group]
