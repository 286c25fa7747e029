"""Turns of a minute: which calls may go, and when, under a limit of requests and of tokens.

Requests are spaced evenly. Tokens are counted by the second in which they were taken, so that what a call did not need
can be given back where it was taken. A turn may be used LATE_SECONDS after its moment: what goes in any 60 seconds was
taken in as many seconds more, and it is those that hold no more than the limit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

LATE_SECONDS = 1.0
AHEAD_SECONDS = 1.0  # what a killed worker had taken is soon past
COUNTED_SECONDS = 62  # a minute, what a turn may be late, and the second that is counted as one


@dataclass(frozen=True)
class Minute:
    """What a minute may hold; None: no limit."""

    requests: int | None
    tokens: int | None

    @property
    def spacing(self) -> float:
        """Seconds from one request to the next."""
        return (60 + LATE_SECONDS) / self.requests if self.requests else 0.0


@dataclass(frozen=True)
class Ledger:
    """What all workers have taken. requests_at: when the next request may go, in seconds of the epoch. tokens: by the
    second of the epoch."""

    requests_at: float
    tokens: Mapping[int, int]

    def at(self, now: float, given_back: Mapping[int, int]) -> "Ledger":
        """With those tokens given back, and without what no longer counts."""
        counted = {second: tokens for second, tokens in self.tokens.items() if second > now - COUNTED_SECONDS}
        return replace(self, tokens={second: tokens - given_back.get(second, 0) for second, tokens in counted.items()})

    def without_last(self, turns: int, spacing: float) -> "Ledger":
        return replace(self, requests_at=self.requests_at - turns * spacing)


def take_turns(minute: Minute, ledger: Ledger, now: float, costs: Sequence[int]) -> tuple[list[float], Ledger]:
    """When each call may go, in seconds from now, for those that may go soon; and the ledger after them.

    costs: tokens of the calls, in the order in which they want to go. A call that takes more than a minute may hold
    goes when no other has taken any.
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
