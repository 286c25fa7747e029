"""Permits of calls under a limit of requests and of tokens a minute: which calls may begin, and when.

Requests are spaced evenly. Tokens are counted by the second in which they were taken, and unused tokens are given back
to that second. A permit is good for LATE_SECONDS after its moment, so the limit is kept over 60 + LATE_SECONDS seconds:
calls of any 60 seconds then stay within it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

LATE_SECONDS = 1.0
AHEAD_SECONDS = 1.0  # short, because a killed worker's permits are lost
COUNTED_SECONDS = 62  # a minute, LATE_SECONDS, and the second that is counted as a whole


@dataclass(frozen=True)
class Minute:
    """The limits of a minute; None: no limit."""

    requests: int | None
    tokens: int | None

    @property
    def spacing(self) -> float:
        """Seconds from one request to the next."""
        return (60 + LATE_SECONDS) / self.requests if self.requests else 0.0


@dataclass(frozen=True)
class Ledger:
    """Permits that all workers have taken. requests_at: the time of the next request, in seconds of the epoch. tokens:
    by the second of the epoch."""

    requests_at: float
    tokens: Mapping[int, int]

    def at(self, now: float, given_back: Mapping[int, int]) -> "Ledger":
        """The ledger with those tokens given back, and without seconds that no longer count."""
        counted = {second: tokens for second, tokens in self.tokens.items() if second > now - COUNTED_SECONDS}
        return replace(self, tokens={second: tokens - given_back.get(second, 0) for second, tokens in counted.items()})

    def without_last(self, permits: int, spacing: float) -> "Ledger":
        return replace(self, requests_at=self.requests_at - permits * spacing)


def take_permits(minute: Minute, ledger: Ledger, now: float, costs: Sequence[int]) -> tuple[list[float], Ledger]:
    """The waits in seconds of the first calls, which may begin soon; and the ledger after them.

    costs: tokens of the calls, in their order. A call of more tokens than the limit begins when no other call has taken
    any.
    """
    begin = max(now, ledger.requests_at) - now
    spaced = takewhile(
        lambda wait: wait <= AHEAD_SECONDS, (begin + place * minute.spacing for place in range(len(costs)))
    )
    waits = list(spaced)[: _number_fitting(minute, sum(ledger.tokens.values()), costs)]
    if not waits:
        return [], ledger
    tokens = dict(ledger.tokens)
    tokens[int(now)] = tokens.get(int(now), 0) + sum(costs[: len(waits)])
    return waits, Ledger(now + waits[-1] + minute.spacing, tokens)


def _number_fitting(minute: Minute, taken: int, costs: Sequence[int]) -> int:
    if minute.tokens is None:
        return len(costs)
    limit = minute.tokens
    fitting = len(list(takewhile(lambda total: total <= limit, accumulate(costs, initial=taken)))) - 1
    return max(fitting, 1 if taken <= 0 else 0)
