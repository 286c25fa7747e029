"""The progress of a study: its texts, its minimal facts, its labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Aggregate, Count, Q, QuerySet

from factor.models import OpenEndedGeneration, OpenEndedLabel, OpenEndedPair, OpenEndedStudy
from jobs.models import JobItem
from jobs.progress import JobProgress, counts_of

FAILURES_SHOWN = 20
State = JobItem.State


@dataclass(frozen=True)
class OpenEndedProgress(JobProgress):
    """Counts of texts. empty, cut_off: texts done without a word, and texts that ended at the greatest length."""

    empty: int
    cut_off: int


@dataclass(frozen=True)
class StudySummary:
    """Counts of texts, and of `pairs`: those with a fact (`facts`), and those left out (`left_out`).

    labels, wanted: labels that are in, and labels that all texts want that are not left out.
    """

    total: int
    done: int
    failed: int
    pairs: int
    facts: int
    left_out: int
    labels: int
    wanted: int

    @property
    def share(self) -> float:
        return (self.done + self.failed) / self.total if self.total else 0.0

    @property
    def labelled(self) -> float:
        return self.labels / self.wanted if self.wanted else 0.0

    @property
    def complete(self) -> bool:
        """Every pair has its fact or is left out, and every text of a pair that counts has all its labels."""
        return self.facts + self.left_out == self.pairs and self.labels >= self.wanted


def progress_of(study: OpenEndedStudy) -> OpenEndedProgress:
    empty = Count("pk", filter=Q(state=State.DONE, text=""))
    cut_off = Count("pk", filter=Q(state=State.DONE, finish_reason="length"))
    return OpenEndedProgress(**counts_of(study, empty=empty, cut_off=cut_off))


def summary_of(study: OpenEndedStudy) -> StudySummary:
    return summaries_of([study])[study.pk]


def summaries_of(studies: Sequence[OpenEndedStudy]) -> dict[int, StudySummary]:
    """The summaries by primary key; three queries for any number of studies."""
    texts = _by_study(
        OpenEndedGeneration.objects.filter(pair__study__in=studies),
        "pair__study",
        total=Count("pk"),
        done=Count("pk", filter=Q(state=State.DONE)),
        failed=Count("pk", filter=Q(state=State.FAILED)),
        that_count=Count("pk", filter=Q(pair__excluded="") & ~Q(state=State.FAILED)),
    )
    pairs = _by_study(
        OpenEndedPair.objects.filter(study__in=studies),
        "study",
        pairs=Count("pk"),
        facts=Count("pk", filter=Q(excluded="") & ~Q(fact="")),
        left_out=Count("pk", filter=~Q(excluded="")),
    )
    counted = OpenEndedLabel.objects.filter(item__pair__study__in=studies, item__pair__excluded="")
    labels = _by_study(counted, "item__pair__study", labels=Count("pk"))
    return {
        study.pk: _summary(study, texts[study.pk], pairs[study.pk], labels.get(study.pk, {"labels": 0}))
        for study in studies
    }


def _by_study(rows: QuerySet[Any], study: str, **counted: Aggregate) -> dict[int, dict[str, Any]]:
    return {row.pop(study): row for row in rows.order_by().values(study).annotate(**counted)}


def _summary(
    study: OpenEndedStudy, texts: dict[str, Any], pairs: dict[str, Any], labels: dict[str, Any]
) -> StudySummary:
    wanted = texts.pop("that_count") * study.raters
    return StudySummary(wanted=wanted, **texts, **pairs, **labels)
