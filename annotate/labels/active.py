"""Time worked on a task: the intervals in which its pages were worked on, as the pages measure them.

Intervals are kept rather than sums: what is reported again, or by two pages for the same time, counts once. They are
believed only as far as the clock on the wall allows: since the task was opened, up to now.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from annotate.models import Assignment

COLUMNS = ("worked", "active_seconds")

# From and until, in milliseconds since 1970, by the server's clock.
Interval: TypeAlias = tuple[int, int]

# A page's clock that differs by less is taken as right: the difference is the time that the request took.
CLOCK_TOLERANCE = 2000
# More seconds than anybody works between two saves.
A_DAY = 86_400
# Of one assignment; the oldest ones are joined beyond that.
MOST_INTERVALS = 400


@dataclass(frozen=True)
class Worked:
    """What a page reports: when it was worked on, by its own clock, and what that clock showed as it was sent (None:
    the clock is the server's)."""

    intervals: Sequence[Interval] = ()
    clock: int | None = None

    def shift(self, now: datetime) -> int:
        """How many milliseconds the page's clock is behind the server's; 0 for no more than a request takes."""
        behind = 0 if self.clock is None else milliseconds(now) - self.clock
        return behind if abs(behind) > CLOCK_TOLERANCE else 0


NO_TIME = Worked()


def worked_seconds(seconds: int, now: datetime) -> Worked:
    """The report of a program that measures how long its person worked until now, in whole seconds."""
    return Worked([(milliseconds(now - timedelta(seconds=seconds)), milliseconds(now))] if seconds else [])


def with_worked(assignment: Assignment, worked: Worked, now: datetime) -> dict[str, Any]:
    """`worked` and `active_seconds` of the assignment with the report taken in."""
    shift, opened = worked.shift(now), assignment.opened_at
    if opened is None or not worked.intervals:
        return {name: getattr(assignment, name) for name in COLUMNS}
    earliest, latest = milliseconds(opened) - CLOCK_TOLERANCE, milliseconds(now) + CLOCK_TOLERANCE
    reported = [(max(start + shift, earliest), min(end + shift, latest)) for start, end in worked.intervals]
    before = [(start, end) for start, end in assignment.worked]
    after = union([*before, *(each for each in reported if each[0] < each[1])])
    seconds = length(after) // 1000 - length(before) // 1000
    return {"worked": _joined(after), "active_seconds": assignment.active_seconds + seconds}


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """The same time in intervals that do not touch, the earliest first."""
    apart: list[Interval] = []
    for start, end in sorted(intervals):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(apart[-1][1], end))
        else:
            apart.append((start, end))
    return apart


def length(intervals: Iterable[Interval]) -> int:
    """In milliseconds, of intervals that do not overlap."""
    return sum(end - start for start, end in intervals)


def milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _joined(apart: list[Interval]) -> list[Interval]:
    """No more than are kept: the oldest become one of the same length, so that no time is lost or added."""
    if len(apart) <= MOST_INTERVALS:
        return apart
    old, kept = apart[: -MOST_INTERVALS + 1], apart[-MOST_INTERVALS + 1 :]
    end = old[-1][1]
    return [(end - length(old), end), *kept]
