"""How far an undertaking is, and how fast."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from annotate.models.leased import Leased
from annotate.models.undertaking import Undertaking

# A living worker takes up a knock within a second.
PATIENCE = timedelta(seconds=10)
# By so many of the last settled the rate is told.
LATEST = 50
# Of items: how many in each state, and when the last was settled.
COUNTS = {
    "total": Count("pk"),
    "leased": Count("pk", filter=Q(state=Leased.State.LEASED)),
    "done": Count("pk", filter=Q(state=Leased.State.DONE)),
    "failed": Count("pk", filter=Q(state=Leased.State.FAILED)),
    "last": Max("settled_at"),
}


@dataclass(frozen=True)
class Progress:
    """Counts of items. unheard: something waits and nobody has taken anything up for a while: no worker lives, or all
    are busy."""

    total: int
    done: int
    failed: int
    unheard: bool

    @property
    def settled(self) -> int:
        return self.done + self.failed

    @property
    def share(self) -> float:
        return self.settled / self.total if self.total else 0.0


@dataclass(frozen=True)
class TimedProgress(Progress):
    """rate: of the last settled, items a second; left: seconds until all are, at that rate; both None before two have
    settled."""

    leased: int
    rate: float | None

    @property
    def left(self) -> float | None:
        return (self.total - self.settled) / self.rate if self.rate else None


def is_unheard(work: Undertaking, last_settled: datetime | None) -> bool:
    """Whether nothing has become of the work for a while, though it is under way. For work of which nothing is leased:
    an answer may take long."""
    moments = (work.created_at, work.knocked_at, last_settled)
    last = max(moment for moment in moments if moment is not None)
    return work.is_under_way and last < timezone.now() - PATIENCE


def rate_of(items: QuerySet[Any]) -> float | None:
    """How many a second have settled of late; None before two have."""
    settled = items.exclude(settled_at=None).order_by("-settled_at")
    moments = list(settled.values_list("settled_at", flat=True)[:LATEST])
    seconds = (moments[0] - moments[-1]).total_seconds() if moments else 0.0
    return (len(moments) - 1) / seconds if seconds else None
