"""How far a making is."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Max
from django.utils import timezone

from factor.making.yields import Contradictions, Documents, contradictions_of, documents_of
from factor.models import Making

# A living worker takes up a knock within a second.
PATIENCE = timedelta(seconds=10)
# By so many of the last settled the rate is told.
LATEST = 50


@dataclass(frozen=True)
class Progress:
    """documents, contradictions: the yields. unheard: something waits and nobody has taken anything up for a while: no
    worker lives, or all are busy. rate: of the last settled, documents a second; left: seconds until all are, at that
    rate; both None before two have settled."""

    documents: Documents
    contradictions: list[Contradictions]
    unheard: bool
    rate: float | None

    @property
    def share(self) -> float:
        return self.documents.settled / self.documents.drawn if self.documents.drawn else 0.0

    @property
    def left(self) -> float | None:
        return (self.documents.drawn - self.documents.settled) / self.rate if self.rate else None


def progress_of(making: Making) -> Progress:
    return Progress(documents_of(making), contradictions_of(making), _is_unheard(making), _rate(making))


def _is_unheard(making: Making) -> bool:
    if making.state != Making.State.MAKING or making.items.leased().exists():
        return False
    moments = (making.created_at, making.knocked_at, making.items.aggregate(last=Max("settled_at"))["last"])
    last = max(moment for moment in moments if moment is not None)
    return last < timezone.now() - PATIENCE


def _rate(making: Making) -> float | None:
    settled = making.items.exclude(settled_at=None).order_by("-settled_at")
    moments = [at for at in settled.values_list("settled_at", flat=True)[:LATEST] if at is not None]
    seconds = (moments[0] - moments[-1]).total_seconds() if moments else 0.0
    return (len(moments) - 1) / seconds if seconds else None
