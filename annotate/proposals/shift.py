"""One event loop's work on proposals of one kind with one model: one sliding window of calls in flight.

As many hands as the window is wide, and as many again that store meanwhile, each take one proposal after the other.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, TypeVarTuple

from django.conf import settings

from annotate.facts.propose import ChangedError
from annotate.models import Proposal
from annotate.proposals.asking import Ask, UnreadableError
from annotate.proposals.brought import Sentences, ask_for, asked_before, read_sentences, store
from annotate.proposals.leases import lease_next, renew_leases
from annotate.proposals.settle import fail
from annotate.proposals.untouched import FixedError
from llm.desk import Desk
from llm.errors import AccessRefusedError, EndpointAddressError, EndpointUnavailableError, ModelError

CALLS_IN_FLIGHT = 8
HANDS = 2 * CALLS_IN_FLIGHT
# What no other proposal can escape.
FATAL = (EndpointAddressError, AccessRefusedError)
Given = TypeVarTuple("Given")
Answered = TypeVar("Answered")
Leased = tuple[Proposal, Sentences, int]


class Shift:
    """One owner's time on the waiting proposals of a dataset, of one kind and for one model, until none is left."""

    def __init__(self, dataset: int, kind: str, model: str, owner: str) -> None:
        self._group = (dataset, kind, model)
        self._owner = owner
        waiting = Proposal.objects.waiting().filter(response__dataset=dataset, kind=kind, model=model)
        self._silence = min(HANDS, waiting.count())  # so many in a row without an answer: the endpoint is down
        self._unanswered = 0
        self._fatal: ModelError | None = None

    async def work(self, ask: Ask, desk: Desk) -> None:
        """Raises the ModelError that makes going on useless."""
        self._desk = desk
        renewing = asyncio.create_task(self._renew())
        try:
            async with asyncio.TaskGroup() as hands:
                for _ in range(HANDS):
                    hands.create_task(self._ask_one_after_the_other(ask))
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing
        if self._fatal is not None:
            raise self._fatal

    async def _ask_one_after_the_other(self, ask: Ask) -> None:
        while self._fatal is None:
            leased = await self._at_desk(self._lease)
            if leased is None:
                return
            await self._ask_for(*leased, ask)

    def _lease(self) -> Leased | None:
        proposal = lease_next(*self._group, self._owner)
        return (proposal, read_sentences(proposal), asked_before(proposal)) if proposal else None

    async def _ask_for(self, proposal: Proposal, sentences: Sentences, sample: int, ask: Ask) -> None:
        try:
            bring = await ask_for(proposal, sentences, ask, sample)
            self._unanswered = 0
            await self._at_desk(store, proposal, self._owner, bring)
        except FATAL as error:
            self._fatal = self._fatal or error
        except EndpointUnavailableError as error:
            await self._note_silence(proposal, error)
        except ChangedError as error:
            await self._fail(proposal, error, final=False)
        except (UnreadableError, FixedError, ModelError) as error:
            await self._fail(proposal, error, final=True)

    async def _note_silence(self, proposal: Proposal, error: EndpointUnavailableError) -> None:
        """A failure of one, or where nobody gets an answer any more, of all: an endpoint that is down for an hour must
        not be tried for each of them."""
        self._unanswered += 1
        if self._unanswered < self._silence:
            await self._fail(proposal, error, final=False)
        else:
            self._fatal = self._fatal or error

    async def _fail(self, proposal: Proposal, error: Exception, *, final: bool) -> None:
        sentence = str(error)[:1].upper() + str(error)[1:]
        await self._at_desk(lambda: fail(proposal, self._owner, sentence, final=final))

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(settings.RUN_LEASE_SECONDS / 4)
            await self._at_desk(renew_leases, self._owner)

    async def _at_desk(self, work: Callable[[*Given], Answered], *given: *Given) -> Answered:
        return await asyncio.get_running_loop().run_in_executor(self._desk, work, *given)
