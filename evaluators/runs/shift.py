"""One event loop's work on a run: one sliding window of cases under way.

As many hands as the window is wide take leased cases one by one, so a place that becomes free is filled at once. Beside
them one clerk keeps the books: stores results in groups, renews the leases, leases what comes next, and looks whether
the run is still wanted.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import InterfaceError, OperationalError

from annotate.prompts.asking import UnreadableError
from evaluators.fact_generation.run_facts import FactsOfRun
from evaluators.methods.base import Case, Judge, Tools
from evaluators.models import Run, RunItem
from evaluators.runs.cases import read_cases
from evaluators.runs.leases import lease_items, renew_leases
from evaluators.runs.results import Result, read_outcomes, store_results
from jobs.database_thread import DatabaseThread
from llm.errors import (
    AccessRefusedError,
    BudgetSpentError,
    CallLimitError,
    EndpointAddressError,
    EndpointUnavailableError,
    ModelError,
    RequestRefusedError,
)

# What no other item can escape. A database that is away or full must not use up the attempts of every item.
FATAL = (EndpointAddressError, AccessRefusedError, CallLimitError, OperationalError, InterfaceError)
# Nothing more is leased where the budget is spent, but what is under way ends.
WORKED_ON = (*Run.ACTIVE, Run.State.OUT_OF_BUDGET)
Given = TypeVarTuple("Given")
Answered = TypeVar("Answered")
LARGEST_GROUP = 100
LONGEST_WAIT = 0.25  # seconds between two looks at the books


@dataclass(frozen=True)
class Leased:
    item: RunItem
    case: Case


class Shift:
    """One owner's time on a run: from the first lease until nothing is left to lease, or the run is not wanted.

    window: cases under way at once; how many calls are in flight is up to whoever is asked.
    """

    def __init__(self, run: Run, owner: str, judge: Judge, window: int) -> None:
        self._run = run
        self._owner = owner
        self._judge = judge
        self._facts = FactsOfRun(run.evaluator)
        self._window = window
        self._silence = min(window, run.items.count())  # so many in a row without an answer: the endpoint is down
        # Leased ahead, so that no hand waits for the clerk.
        self._most_held = window + max(window, LARGEST_GROUP)
        self._held = 0
        self._waiting: asyncio.Queue[Leased] = asyncio.Queue()
        self._results: list[Result] = []
        self._news = asyncio.Event()
        self._fatal: ModelError | DatabaseFailure | None = None
        self._spent: BudgetSpentError | None = None
        self._unanswered = 0

    async def work(self, tools: Tools, database_thread: DatabaseThread) -> None:
        """Judge what can be leased. Raises the ModelError that makes going on useless, once what was done is stored;
        where that is a spent budget, once what is under way, and paid for, has ended. Raises the error of a database
        that cannot be reached or is full.
        """
        self._desk = database_thread
        hands = [asyncio.create_task(self._judge_waiting(tools)) for _ in range(self._window)]
        try:
            while await self._keep_books() and self._fatal is None:
                await self._wait_for_news()
        finally:
            for hand in hands:
                hand.cancel()
            await asyncio.gather(*hands, return_exceptions=True)
            await self._in_database_thread(store_results, self._run, self._owner, self._results)
        if error := self._fatal or self._spent:
            raise error

    async def _judge_waiting(self, tools: Tools) -> None:
        while True:
            leased = await self._waiting.get()
            result = await self._judge_one(leased, tools)
            if result is not None:
                self._results.append(result)
            if self._fatal or self._spent or self._waiting.empty() or len(self._results) in (LARGEST_GROUP, self._held):
                self._news.set()
            await asyncio.sleep(0)  # a method that asks no model would never let the clerk in

    async def _judge_one(self, leased: Leased, tools: Tools) -> Result | None:
        """What came of the item; None where the run cannot go on."""
        try:
            case = await self._facts.complete(leased.item.response_id, leased.case, tools, self._in_database_thread)
            outcomes = await self._judge(case, tools)
            self._unanswered = 0
            return read_outcomes(leased.item, case, outcomes)
        except FATAL as error:
            self._fatal = self._fatal or error
            return None
        except BudgetSpentError as error:
            self._spent = error
            self._held -= 1  # its lease is given back with the shift
            return None
        except EndpointUnavailableError as error:
            return self._note_silence(leased.item, error)
        except (RequestRefusedError, UnreadableError) as error:
            return Result(leased.item, error=str(error), final=True)
        except Exception as error:  # noqa: BLE001 - a method is a plug-in: its mistake belongs to the item
            return Result(leased.item, error=f"{type(error).__name__}: {error}")

    def _note_silence(self, item: RunItem, error: EndpointUnavailableError) -> Result | None:
        """A failure of the item, or where nobody in the window got an answer any more, of the run: an endpoint that is
        down for an hour must not use up the attempts of every item."""
        self._unanswered += 1
        if self._unanswered < self._silence:
            return Result(item, error=str(error))
        self._fatal = self._fatal or error
        return None

    async def _keep_books(self) -> bool:
        """Store, lease, hand out; whether there is anything to wait for."""
        results, self._results = self._results, []
        room = 0 if self._spent else self._most_held - self._held + len(results)
        leased = await self._in_database_thread(self._write_books, results, room)
        if leased is None:
            return False
        self._held += len(leased) - len(results)
        for one in leased:
            self._waiting.put_nowait(one)
        return self._held > 0

    def _write_books(self, results: Sequence[Result], room: int) -> list[Leased] | None:
        """What was leased now; None where the run is no longer wanted."""
        store_results(self._run, self._owner, results)
        if not Run.objects.filter(pk=self._run.pk, state__in=WORKED_ON).exists():
            return None
        renew_leases(self._run, self._owner)
        items = lease_items(self._run, self._owner, room)
        cases = read_cases(self._run.dataset, [item.response_id for item in items], self._facts.generated)
        return [Leased(item, cases[item.response_id]) for item in items]

    async def _wait_for_news(self) -> None:
        wait = min(LONGEST_WAIT, settings.RUN_LEASE_SECONDS / 4)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), wait)
        self._news.clear()

    async def _in_database_thread(self, work: Callable[[*Given], Answered], *given: *Given) -> Answered:
        return await asyncio.get_running_loop().run_in_executor(self._desk, work, *given)
