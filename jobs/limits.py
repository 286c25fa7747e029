"""The limits that a job starts with and is resumed under."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Limits:
    """The greatest spending of the job's own calls; None: without a limit."""

    tokens: int | None = None
    cost_usd: Decimal | None = None


NO_LIMITS = Limits()
