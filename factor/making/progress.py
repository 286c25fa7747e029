"""How far a making is."""

from dataclasses import dataclass

from django.db.models import Max

from annotate.leased.progress import is_unheard, rate_of
from factor.making.yields import Contradictions, Documents, contradictions_of, documents_of
from factor.models import Making


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
    return Progress(documents_of(making), contradictions_of(making), _is_unheard(making), rate_of(making.items.all()))


def _is_unheard(making: Making) -> bool:
    if not making.is_under_way or making.items.leased().exists():
        return False
    return is_unheard(making, making.items.aggregate(last=Max("settled_at"))["last"])
