"""A process of its own for test_allowances: two jobs ask for room under one limit of spending at the same instant.

Prints the outcome of each round, and at the end what the limit has counted and still holds.
"""

import sys
from decimal import Decimal

import django

django.setup()

from annotate.grants.allowances import set_allowance  # noqa: E402
from annotate.models import Allowance, Dataset  # noqa: E402
from evaluators.models import Run, RunItem  # noqa: E402
from evaluators.runs.create import create_run  # noqa: E402
from jobs.budget import Room, RowBudget, Spending  # noqa: E402
from jobs.leases import lease_items  # noqa: E402
from tests.factories import make_dataset, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402

MOST, TOOK = Spending(1, Decimal("0.6")), Spending(1, Decimal("0.01"))
OWNERS = ("ada", "ben")


def budget_of(dataset: Dataset, owner: str) -> RowBudget:
    """The budget of a run of its own, of which the owner has leased an item."""
    run = create_run(dataset, "always-supported", force=True).run
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    lease_items(run.items.all(), owner, 1, 3)
    return RowBudget(run, owner, RunItem, (Allowance.objects.holding_for(dataset, None),))


class Round:
    """A limit of a dollar, and calls of at most 60 cents."""

    def __init__(self) -> None:
        dataset = make_dataset()
        make_response(dataset)
        set_allowance(dataset, None, Decimal(1))
        self.budgets = {owner: budget_of(dataset, owner) for owner in OWNERS}
        self.rooms: list[Room] = []

    def prepare(self) -> None:
        """Settle the call that was held."""
        if self.rooms:
            print(*sorted(room.value for room in self.rooms))
            for owner in Allowance.objects.get().held:
                self.budgets[owner].settle([(MOST, TOOK)])
        self.rooms = []

    def ask(self, owner: str) -> None:
        self.rooms += self.budgets[owner].hold([MOST])


if __name__ == "__main__":
    one = Round()
    race(int(sys.argv[1]), one.prepare, lambda: one.ask("ada"), lambda: one.ask("ben"))
    one.prepare()
    counted = Allowance.objects.get()
    print(counted.spent_usd, counted.held)
