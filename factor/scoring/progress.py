"""How far a scoring is, and how fast."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from factor.models import Benchmark, Scoring
from jobs.models import JobItem
from jobs.progress import JobProgress, counts_of


@dataclass(frozen=True)
class ScoringProgress(JobProgress):
    """Counts of examples. without_score: completions that have none, for a reason that stays. tokens_a_second: of
    completions, while one was scored; None before any was."""

    without_score: int
    tokens_a_second: float | None


def progress_of(scoring: Scoring) -> ScoringProgress:
    return ScoringProgress(
        **counts_of(scoring),
        without_score=scoring.scores.filter(total=None).count(),
        tokens_a_second=scoring.speed,
    )


def listed(benchmark: Benchmark) -> QuerySet[Scoring]:
    """The latest first; of each `examples`, and how many of them are `settled`."""
    settled = Q(items__state__in=[JobItem.State.DONE, JobItem.State.FAILED])
    counted = benchmark.scorings.annotate(examples=Count("items"), settled=Count("items", filter=settled))
    return counted.select_related("model__endpoint", "source").order_by("-pk")
