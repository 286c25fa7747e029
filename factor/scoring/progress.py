"""How far a scoring is, and how fast."""

from dataclasses import dataclass

from factor.models import Scoring
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
