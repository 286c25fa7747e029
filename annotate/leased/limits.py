"""The limits that work on leased rows is given, and gone on under."""

from dataclasses import dataclass
from decimal import Decimal

from annotate.models.budgeted import Budgeted


@dataclass(frozen=True)
class Limits:
    """What calls of its own may spend; None: without a limit."""

    tokens: int | None = None
    cost_usd: Decimal | None = None


NO_LIMITS = Limits()


class NoRoomError(Exception):
    """What has been spent leaves no room under the limits: one sentence for a person."""


def raised(work: Budgeted, limits: Limits) -> Limits:
    """The work's limits with those in place of its own that are given."""
    return Limits(limits.tokens or work.max_tokens, limits.cost_usd or work.max_cost_usd)


def check_room(work: Budgeted, limits: Limits, called: str) -> None:
    """Raises NoRoomError where the work, named as `called`, can make no call under the limits."""
    if limits.tokens is not None and work.spent_tokens >= limits.tokens:
        raise NoRoomError(
            f"The {called} has spent {work.spent_tokens:,} tokens: raise its limit of {limits.tokens:,} first."
        )
    if limits.cost_usd is not None and work.spent_usd >= limits.cost_usd:
        raise NoRoomError(f"The {called} has spent ${work.spent_usd:f}: raise its limit of ${limits.cost_usd:f} first.")
