"""The budget of a job: the limit of all its calls together, in any number of processes.

Before a call its greatest possible spending is held. Afterwards its actual spending is settled. So calls under way at
the same time keep to the budget together. The figures stand in the job's row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, Protocol

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from jobs.models import Budgeted

NOTHING = Decimal(0)


@dataclass(frozen=True)
class Spending:
    """tokens: of prompt and answer together. usd: None where the price is unknown."""

    tokens: int
    usd: Decimal | None


class Room(Enum):
    """Whether a call fits: it does and is set aside; it may once calls under way are settled; it never will."""

    HELD = "held"
    LATER = "later"
    SPENT = "spent"


class Budget(Protocol):
    """A limit in tokens or price, and the spending of all workers so far.

    Both methods are called in the thread that has the database, for a group of calls at a time.
    """

    def hold(self, most: Sequence[Spending]) -> Sequence[Room]:
        """Hold the greatest possible spending of each call, in the order given. LATER only while something is held."""

    def settle(self, calls: Sequence[tuple[Spending, Spending]]) -> None:
        """For each call the spending that was held and the actual spending (nothing for a failed call). In one
        transaction with the storing of the answers."""


@dataclass
class Sum:
    """Tokens and US dollars."""

    tokens: int = 0
    usd: Decimal = NOTHING

    def add(self, spending: Spending, sign: int = 1) -> None:
        self.tokens += sign * spending.tokens
        self.usd += sign * (spending.usd or NOTHING)


class RowBudget:
    """The budget of the work for one of its owners.

    Each owner has an entry in the row for the spending that it holds. The entry of a killed owner is free as soon as
    its leases have run out. `leased`: the leased rows of the work.
    """

    def __init__(self, work: Budgeted, owner: str, leased: QuerySet[Any]) -> None:
        self._work = work
        self._owner = owner
        self._leased = leased
        self._limited = work.max_tokens is not None or work.max_cost_usd is not None

    def hold(self, most: Sequence[Spending]) -> Sequence[Room]:
        if not self._limited:
            return [Room.HELD] * len(most)
        with transaction.atomic():
            work = self._locked()
            mine, others = _held_by(work, self._owner), self._held_by_others(work)
            rooms = []
            for call in most:
                room = _room(work, call, mine, others)
                if room is Room.HELD:
                    mine.add(call)
                rooms.append(room)
            self._store(work, mine)
        return rooms

    def settle(self, calls: Sequence[tuple[Spending, Spending]]) -> None:
        with transaction.atomic():
            work = self._locked()
            mine, spent = _held_by(work, self._owner), Sum(work.spent_tokens, work.spent_usd)
            for held, took in calls:
                if self._limited:
                    mine.add(held, -1)
                spent.add(took)
            work.spent_tokens, work.spent_usd = spent.tokens, spent.usd
            self._store(work, mine)

    def _held_by_others(self, work: Budgeted) -> Sum:
        """The spending that the other owners hold. Owners without a lease in force are gone, and their entries with
        them."""
        if set(work.held) <= {self._owner}:
            return Sum()
        in_force = self._leased.filter(lease_until__gte=timezone.now())
        there = {*in_force.values_list("lease_owner", flat=True).distinct().order_by(), self._owner}
        work.held = {name: held for name, held in work.held.items() if name in there}
        sums = [_held_by(work, name) for name in work.held if name != self._owner]
        return Sum(sum(each.tokens for each in sums), sum((each.usd for each in sums), NOTHING))

    def _locked(self) -> Budgeted:
        columns = ("max_tokens", "max_cost_usd", "spent_tokens", "spent_usd", "held")
        return type(self._work)._default_manager.select_for_update().only(*columns).get(pk=self._work.pk)

    def _store(self, work: Budgeted, mine: Sum) -> None:
        held = {owner: held for owner, held in work.held.items() if owner != self._owner}
        if mine.tokens > 0:
            held[self._owner] = {"tokens": mine.tokens, "usd": str(mine.usd)}
        work.held = held
        work.save(update_fields=["spent_tokens", "spent_usd", "held"])


def _room(work: Budgeted, call: Spending, mine: Sum, others: Sum) -> Room:
    """Whether the call fits beside the spending so far and the spending that is held."""
    spent, held = Sum(work.spent_tokens, work.spent_usd), Sum(mine.tokens + others.tokens, mine.usd + others.usd)
    spent.add(call)
    if _exceeds(work, spent):
        return Room.SPENT
    held.tokens, held.usd = held.tokens + spent.tokens, held.usd + spent.usd
    return Room.LATER if _exceeds(work, held) else Room.HELD


def _exceeds(work: Budgeted, total: Sum) -> bool:
    return (work.max_tokens is not None and total.tokens > work.max_tokens) or (
        work.max_cost_usd is not None and total.usd > work.max_cost_usd
    )


def _held_by(work: Budgeted, owner: str) -> Sum:
    held: dict[str, Any] = work.held.get(owner, {"tokens": 0, "usd": 0})
    return Sum(held["tokens"], Decimal(held["usd"]))
