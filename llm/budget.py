"""What calls may cost together.

Before a call so much is set aside as it may take at most; afterwards what it did take is settled. So calls under way at
the same time, in any number of processes, do not exceed together what each of them alone would have kept to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Protocol

from llm.errors import ModelError


class BudgetSpentError(ModelError):
    """What the calls may cost is spent: the next one would exceed it."""


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
    """A limit in tokens or price and what has been spent of it so far, by every worker. Both methods are called in the
    thread that has the database, for a group of calls at a time."""

    def hold(self, most: Sequence[Spending]) -> Sequence[Room]:
        """Set aside, in the order given, what each call may take at most. LATER only while something is set aside."""

    def settle(self, calls: Sequence[tuple[Spending, Spending]]) -> None:
        """For each call what had been set aside and what it took (nothing, where it failed). In one transaction with
        the storing of the answers."""
