"""The budget of a job: the limit of all its calls together, in any number of processes.

Before a call its greatest possible spending is held. Afterwards its actual spending is settled. So calls under way at
the same time keep to the budget together. The figures stand in the job's row, and in those of the budgets that it
shares with other work.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from itertools import chain
from typing import Any, Protocol

from django.apps import apps
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from jobs.models import Budgeted, JobItem, JobItemQuerySet

NOTHING = Decimal(0)


@dataclass(frozen=True)
class Spending:
    """tokens: of prompt and answer together. usd: None where the price is unknown."""

    tokens: int
    usd: Decimal | None


UNHELD = Spending(0, NOTHING)


class Room(Enum):
    """Whether a call fits: it does and is set aside; it may once calls under way are settled; it never will; its price
    is unknown, and there is a limit in dollars."""

    HELD = "held"
    LATER = "later"
    SPENT = "spent"
    UNPRICED = "unpriced"


class Budget(Protocol):
    """A limit in tokens or price, and the spending of all workers so far.

    Both methods are called in the thread that has the database, for a group of calls at a time. `reached`: the sentence
    of the limit that the last SPENT call did not fit under.
    """

    reached: str

    def hold(self, most: Sequence[Spending]) -> Sequence[Room]:
        """Hold the greatest possible spending of each call, in the order given. LATER only while something is held."""

    def settle(self, calls: Sequence[tuple[Spending, Spending]]) -> None:
        """For each call the spending that was held and the actual spending (nothing for a failed call; below 0 where
        more was settled before). In one transaction with the storing of the answers."""


@dataclass
class Sum:
    """Tokens and US dollars."""

    tokens: int = 0
    usd: Decimal = NOTHING

    def add(self, spending: Spending, sign: int = 1) -> None:
        self.tokens += sign * spending.tokens
        self.usd += sign * (spending.usd or NOTHING)


class RowBudget:
    """The budget of the work for one of its owners: its own row, None where it has none, and the rows `shared` with
    other work. A call has to fit under the limits of all.

    Each owner has an entry in a row for the spending that it holds. The entry of a killed owner is free as soon as its
    leases have run out. `items`: the model of the leased items. Without a limit nothing is held; a shared row that
    appears meanwhile is seen when a call is settled.
    """

    def __init__(
        self, work: Budgeted | None, owner: str, items: type[JobItem], shared: Sequence[QuerySet[Any]] = ()
    ) -> None:
        self._work = work
        self._owner = owner
        self._items = items._meta.label
        self._shared = shared
        self._limited = any(row.is_limited for row in (*([work] if work else []), *chain.from_iterable(shared)))
        self.reached = ""

    def hold(self, most: Sequence[Spending]) -> Sequence[Room]:
        if not self._limited:
            return [Room.HELD] * len(most)
        with transaction.atomic():
            rows = [_Ledger(row, _held_by(row, self._owner), self._held_by_others(row)) for row in self._locked()]
            rooms = [self._hold_in(rows, call) for call in most]
            for each in rows:
                self._store(each.row, each.mine)
        return rooms

    def settle(self, calls: Sequence[tuple[Spending, Spending]]) -> None:
        with transaction.atomic():
            rows = self._locked()
            for row in rows:
                mine, spent = _held_by(row, self._owner), Sum(row.spent_tokens, row.spent_usd)
                for held, took in calls:
                    mine.add(held, -1)
                    spent.add(took)
                # A limit that is younger than a call does not count its correction.
                row.spent_tokens, row.spent_usd = max(spent.tokens, 0), max(spent.usd, NOTHING)
                self._store(row, mine)
            self._limited = any(row.is_limited for row in rows)

    def _hold_in(self, rows: Sequence["_Ledger"], call: Spending) -> Room:
        rooms = [each.room(call) for each in rows]
        for room in (Room.UNPRICED, Room.SPENT, Room.LATER):
            if room in rooms:
                self.reached = rows[rooms.index(room)].row.reached
                return room
        for each in rows:
            each.mine.add(call)
        return Room.HELD

    def _held_by_others(self, row: Budgeted) -> Sum:
        """The spending that the other owners hold. Owners without a lease in force are gone, and their entries with
        them."""
        owners: dict[str, list[str]] = {}
        for name, held in row.held.items():
            if name != self._owner:
                owners.setdefault(held.get("items", self._items), []).append(name)
        there = {self._owner}
        for items, names in owners.items():
            leased: JobItemQuerySet[Any] = JobItemQuerySet(apps.get_model(items)).leased()
            in_force = leased.filter(lease_owner__in=names, lease_until__gte=timezone.now())
            there |= set(in_force.values_list("lease_owner", flat=True).distinct().order_by())
        row.held = {name: held for name, held in row.held.items() if name in there}
        sums = [_held_by(row, name) for name in row.held if name != self._owner]
        return Sum(sum(each.tokens for each in sums), sum((each.usd for each in sums), NOTHING))

    def _locked(self) -> list[Budgeted]:
        """Its own row first, then the shared ones in one order for all: nobody waits for each other."""
        rows: list[Budgeted] = []
        if self._work is not None:
            columns = ("max_tokens", "max_cost_usd", "spent_tokens", "spent_usd", "held")
            rows.append(type(self._work)._default_manager.select_for_update().only(*columns).get(pk=self._work.pk))
        for shared in self._shared:
            rows += shared.order_by("pk").select_for_update(of=("self",))
        return rows

    def _store(self, row: Budgeted, mine: Sum) -> None:
        held = {owner: held for owner, held in row.held.items() if owner != self._owner}
        if row.is_limited and (mine.tokens > 0 or mine.usd > 0):
            mine_held = {"tokens": max(mine.tokens, 0), "usd": str(max(mine.usd, NOTHING))}
            held[self._owner] = {**mine_held, "items": self._items}
        row.held = held
        row.save(update_fields=["spent_tokens", "spent_usd", "held"])


@dataclass
class _Ledger:
    """A row, and what this owner and the others hold of it."""

    row: Budgeted
    mine: Sum
    others: Sum

    def room(self, call: Spending) -> Room:
        """Whether the call fits beside the spending so far and the spending that is held."""
        row, mine, others = self.row, self.mine, self.others
        if call.usd is None and row.max_cost_usd is not None:
            return Room.UNPRICED
        spent, held = Sum(row.spent_tokens, row.spent_usd), Sum(mine.tokens + others.tokens, mine.usd + others.usd)
        spent.add(call)
        if _exceeds(row, spent):
            return Room.SPENT
        held.tokens, held.usd = held.tokens + spent.tokens, held.usd + spent.usd
        return Room.LATER if _exceeds(row, held) else Room.HELD


def _exceeds(row: Budgeted, total: Sum) -> bool:
    return (row.max_tokens is not None and total.tokens > row.max_tokens) or (
        row.max_cost_usd is not None and total.usd > row.max_cost_usd
    )


def _held_by(row: Budgeted, owner: str) -> Sum:
    held: dict[str, Any] = row.held.get(owner, {"tokens": 0, "usd": 0})
    return Sum(held["tokens"], Decimal(held["usd"]))
