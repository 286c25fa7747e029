"""How far a study is: its texts, its minimal facts, its labels."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Max, Q
from django.utils import timezone

from annotate.models.leased import Leased
from factor.models import OpenEndedGeneration, OpenEndedLabel, OpenEndedStudy

# A living worker takes up a knock within a second.
PATIENCE = timedelta(seconds=10)
FAILURES_SHOWN = 20
State = Leased.State


@dataclass(frozen=True)
class Progress:
    """Counts of texts but for `pairs` and, of those, `facts` (written) and `left_out`.

    empty, cut_off: of those done, without a word, and ended at the greatest length. labels, wanted: labels given, and
    how many all texts want that are not left out. unheard: something waits and nobody has taken anything up for a
    while: no worker lives, or all are busy.
    """

    total: int
    leased: int
    done: int
    failed: int
    empty: int
    cut_off: int
    pairs: int
    facts: int
    left_out: int
    labels: int
    wanted: int
    unheard: bool

    @property
    def share(self) -> float:
        return (self.done + self.failed) / self.total if self.total else 0.0

    @property
    def labelled(self) -> float:
        return self.labels / self.wanted if self.wanted else 0.0

    @property
    def complete(self) -> bool:
        """Every pair has its fact or is left out, and every text of those that count all of its labels."""
        return self.facts + self.left_out == self.pairs and self.labels >= self.wanted


def progress_of(study: OpenEndedStudy) -> Progress:
    texts = OpenEndedGeneration.objects.filter(pair__study=study)
    counted = texts.aggregate(
        total=Count("pk"),
        leased=Count("pk", filter=Q(state=State.LEASED)),
        done=Count("pk", filter=Q(state=State.DONE)),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        empty=Count("pk", filter=Q(state=State.DONE, text="")),
        cut_off=Count("pk", filter=Q(state=State.DONE, finish_reason="length")),
        that_count=Count("pk", filter=Q(pair__excluded="") & ~Q(state=State.FAILED)),
        last=Max("settled_at"),
    )
    pairs = study.pairs.aggregate(
        pairs=Count("pk"),
        facts=Count("pk", filter=Q(excluded="") & ~Q(fact="")),
        left_out=Count("pk", filter=~Q(excluded="")),
    )
    moments = (study.created_at, study.knocked_at, counted.pop("last"))
    last = max(moment for moment in moments if moment is not None)
    waits = study.state == OpenEndedStudy.State.ASKING and not counted["leased"]
    return Progress(
        wanted=counted.pop("that_count") * study.raters,
        labels=OpenEndedLabel.objects.filter(generation__pair__study=study, generation__pair__excluded="").count(),
        unheard=waits and last < timezone.now() - PATIENCE,
        **counted,
        **pairs,
    )
