"""How far a generation is."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Max, Q
from django.utils import timezone

from annotate.models import Generation
from annotate.models.leased import Leased

# A living worker takes up a knock within a second.
PATIENCE = timedelta(seconds=10)
FAILURES_SHOWN = 20
# By so many of the last settled the rate is told.
LATEST = 50
State = Leased.State


@dataclass(frozen=True)
class Progress:
    """Counts of prompts. cut_off: of those done, answers that ended at the greatest length. unheard: something waits
    and nobody has taken anything up for a while: no worker lives, or all are busy. rate: of the last settled, how many
    a second; left: seconds until all are, at that rate; both None before two have settled."""

    total: int
    leased: int
    done: int
    failed: int
    cut_off: int
    unheard: bool
    rate: float | None

    @property
    def settled(self) -> int:
        return self.done + self.failed

    @property
    def share(self) -> float:
        return self.settled / self.total if self.total else 0.0

    @property
    def left(self) -> float | None:
        return (self.total - self.settled) / self.rate if self.rate else None


def progress_of(generation: Generation) -> Progress:
    counted = generation.items.aggregate(
        total=Count("pk"),
        leased=Count("pk", filter=Q(state=State.LEASED)),
        done=Count("pk", filter=Q(state=State.DONE)),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        cut_off=Count("pk", filter=Q(state=State.DONE, finish_reason="length")),
        last=Max("settled_at"),
    )
    moments = (generation.created_at, generation.knocked_at, counted.pop("last"))
    last = max(moment for moment in moments if moment is not None)
    waits = generation.state == Generation.State.ASKING and not counted["leased"]
    unheard = waits and last < timezone.now() - PATIENCE
    return Progress(**counted, unheard=unheard, rate=_rate(generation))


def _rate(generation: Generation) -> float | None:
    settled = generation.items.exclude(settled_at=None).order_by("-settled_at")
    moments = [at for at in settled.values_list("settled_at", flat=True)[:LATEST] if at is not None]
    seconds = (moments[0] - moments[-1]).total_seconds() if moments else 0.0
    return (len(moments) - 1) / seconds if seconds else None
