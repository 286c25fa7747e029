"""How far a build is."""

from dataclasses import dataclass

from django.db.models import Max

from annotate.leased.progress import is_unheard, rate_of
from factor.building.yields import Contradictions, Documents, contradictions_of, documents_of
from factor.models import BenchmarkBuild


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


def progress_of(build: BenchmarkBuild) -> Progress:
    return Progress(documents_of(build), contradictions_of(build), _is_unheard(build), rate_of(build.items.all()))


def _is_unheard(build: BenchmarkBuild) -> bool:
    if not build.is_under_way or build.items.leased().exists():
        return False
    return is_unheard(build, build.items.aggregate(last=Max("settled_at"))["last"])
