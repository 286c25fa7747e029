"""How far a scoring is, and how fast."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Max, Q
from django.utils import timezone

from annotate.models.leased import Leased
from factor.models import Scoring

# A living worker takes up a knock within a second.
PATIENCE = timedelta(seconds=10)
# By so many of the last settled the rate is told.
LATEST = 50
State = Leased.State


@dataclass(frozen=True)
class Progress:
    """Counts of examples. without_score: completions that have none, for a reason that stays. unheard: something waits
    and nobody has taken anything up for a while: no worker lives, or all are busy. rate: of the last settled, examples
    a second; tokens_a_second: of completions, while one was scored; left: seconds until all are settled. None where
    that cannot be told yet."""

    total: int
    leased: int
    done: int
    failed: int
    without_score: int
    unheard: bool
    rate: float | None
    tokens_a_second: float | None

    @property
    def settled(self) -> int:
        return self.done + self.failed

    @property
    def share(self) -> float:
        return self.settled / self.total if self.total else 0.0

    @property
    def left(self) -> float | None:
        return (self.total - self.settled) / self.rate if self.rate else None


def progress_of(scoring: Scoring) -> Progress:
    counted = scoring.items.aggregate(
        total=Count("pk"),
        leased=Count("pk", filter=Q(state=State.LEASED)),
        done=Count("pk", filter=Q(state=State.DONE)),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        last=Max("settled_at"),
    )
    moments = (scoring.created_at, scoring.knocked_at, counted.pop("last"))
    last = max(moment for moment in moments if moment is not None)
    waits = scoring.state == Scoring.State.SCORING and not counted["leased"]
    return Progress(
        **counted,
        without_score=scoring.scores.filter(total=None).count(),
        unheard=waits and last < timezone.now() - PATIENCE,
        rate=_rate(scoring),
        tokens_a_second=scoring.speed,
    )


def _rate(scoring: Scoring) -> float | None:
    settled = scoring.items.exclude(settled_at=None).order_by("-settled_at")
    moments = [at for at in settled.values_list("settled_at", flat=True)[:LATEST] if at is not None]
    seconds = (moments[0] - moments[-1]).total_seconds() if moments else 0.0
    return (len(moments) - 1) / seconds if seconds else None
