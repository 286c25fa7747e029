"""The limits that work on leased rows is given, and gone on under."""

from dataclasses import dataclass
from decimal import Decimal

from annotate.leased.errors import StartError
from annotate.models.budgeted import Budgeted
from llm.models import Endpoint
from llm.price import price_of


@dataclass(frozen=True)
class Limits:
    """What calls of its own may spend; None: without a limit."""

    tokens: int | None = None
    cost_usd: Decimal | None = None


NO_LIMITS = Limits()


def raised(work: Budgeted, limits: Limits) -> Limits:
    """The work's limits with those in place of its own that are given."""
    return Limits(limits.tokens or work.max_tokens, limits.cost_usd or work.max_cost_usd)


def check_room(work: Budgeted, limits: Limits, called: str) -> None:
    """Raises StartError where what the work, named as `called`, has spent leaves no room under the limits."""
    if limits.tokens is not None and work.spent_tokens >= limits.tokens:
        raise StartError(
            f"The {called} has spent {work.spent_tokens:,} tokens: raise its limit of {limits.tokens:,} first."
        )
    if limits.cost_usd is not None and work.spent_usd >= limits.cost_usd:
        raise StartError(f"The {called} has spent ${work.spent_usd:f}: raise its limit of ${limits.cost_usd:f} first.")


def check_price(endpoint: Endpoint, model: str, limits: Limits) -> None:
    """Raises StartError where a price is to be kept to, and what the model costs at the endpoint is not known."""
    if limits.cost_usd is not None and price_of(endpoint, model.strip()) is None:
        raise StartError(
            f"What {model} costs is not known, so no price can be kept to: enter its price, or limit tokens."
        )
