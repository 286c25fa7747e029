"""How far a scoring is, and how fast."""

from dataclasses import dataclass

from annotate.leased.progress import COUNTS, TimedProgress, is_unheard, rate_of
from factor.models import Scoring


@dataclass(frozen=True)
class ScoringProgress(TimedProgress):
    """Counts of examples. without_score: completions that have none, for a reason that stays. tokens_a_second: of
    completions, while one was scored; None before any was."""

    without_score: int
    tokens_a_second: float | None


def progress_of(scoring: Scoring) -> ScoringProgress:
    counted = scoring.items.aggregate(**COUNTS)
    unheard = is_unheard(scoring, counted.pop("last")) and not counted["leased"]
    return ScoringProgress(
        **counted,
        unheard=unheard,
        rate=rate_of(scoring.items.all()),
        without_score=scoring.scores.filter(total=None).count(),
        tokens_a_second=scoring.speed,
    )
