"""A run's budget: what it may spend, kept in its row so that any number of workers keep to it together."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluators.models import Run
from llm.budget import Room, Spending

NOTHING = Decimal(0)


@dataclass
class Sum:
    """Tokens and US dollars."""

    tokens: int = 0
    usd: Decimal = NOTHING

    def add(self, spending: Spending, sign: int = 1) -> None:
        self.tokens += sign * spending.tokens
        self.usd += sign * (spending.usd or NOTHING)


class RunBudget:
    """The budget of the run for one of its owners (llm/budget.py). What an owner holds is its own entry in the row, so
    that what a killed one held is free as soon as its leases have run out."""

    def __init__(self, run: Run, owner: str) -> None:
        self._run = run
        self._owner = owner
        self._limited = run.max_tokens is not None or run.max_cost_usd is not None

    def hold(self, most: Sequence[Spending]) -> Sequence[Room]:
        if not self._limited:
            return [Room.HELD] * len(most)
        with transaction.atomic():
            run = self._locked()
            mine, others = _held_by(run, self._owner), _held_by_others(run, self._owner)
            rooms = []
            for call in most:
                room = _room(run, call, mine, others)
                if room is Room.HELD:
                    mine.add(call)
                rooms.append(room)
            self._store(run, mine)
        return rooms

    def settle(self, calls: Sequence[tuple[Spending, Spending]]) -> None:
        with transaction.atomic():
            run = self._locked()
            mine, spent = _held_by(run, self._owner), Sum(run.spent_tokens, run.spent_usd)
            for held, took in calls:
                if self._limited:
                    mine.add(held, -1)
                spent.add(took)
            run.spent_tokens, run.spent_usd = spent.tokens, spent.usd
            self._store(run, mine)

    def _locked(self) -> Run:
        columns = ("max_tokens", "max_cost_usd", "spent_tokens", "spent_usd", "held")
        return Run.objects.select_for_update().only(*columns).get(pk=self._run.pk)

    def _store(self, run: Run, mine: Sum) -> None:
        held = {owner: held for owner, held in run.held.items() if owner != self._owner}
        if mine.tokens > 0:
            held[self._owner] = {"tokens": mine.tokens, "usd": str(mine.usd)}
        run.held = held
        run.save(update_fields=["spent_tokens", "spent_usd", "held"])


def _room(run: Run, call: Spending, mine: Sum, others: Sum) -> Room:
    """Whether the call fits beside what was spent, and beside what may still be."""
    spent, held = Sum(run.spent_tokens, run.spent_usd), Sum(mine.tokens + others.tokens, mine.usd + others.usd)
    spent.add(call)
    if _exceeds(run, spent):
        return Room.SPENT
    held.tokens, held.usd = held.tokens + spent.tokens, held.usd + spent.usd
    return Room.LATER if _exceeds(run, held) else Room.HELD


def _exceeds(run: Run, total: Sum) -> bool:
    return (run.max_tokens is not None and total.tokens > run.max_tokens) or (
        run.max_cost_usd is not None and total.usd > run.max_cost_usd
    )


def _held_by(run: Run, owner: str) -> Sum:
    held: dict[str, Any] = run.held.get(owner, {"tokens": 0, "usd": 0})
    return Sum(held["tokens"], Decimal(held["usd"]))


def _held_by_others(run: Run, owner: str) -> Sum:
    """What the other owners hold; those without a lease in force are gone, and their entries with them."""
    if set(run.held) <= {owner}:
        return Sum()
    in_force = run.items.leased().filter(lease_until__gte=timezone.now())
    there = {*in_force.values_list("lease_owner", flat=True).distinct().order_by(), owner}
    run.held = {name: held for name, held in run.held.items() if name in there}
    sums = [_held_by(run, name) for name in run.held if name != owner]
    return Sum(sum(each.tokens for each in sums), sum((each.usd for each in sums), NOTHING))
