"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from django.db.models import OuterRef

from annotate.leased.workers import tell_of, tell_of_abandoned
from factor.models import Scoring, ScoringItem


def knock(scoring: int) -> bool:
    """Tell the workers of the scoring (its primary key); False where the queue is out of reach."""
    from factor.scoring.tasks import work_on_scoring

    return tell_of(Scoring, scoring, work_on_scoring)


def sweep() -> list[int]:
    """Free expired leases, and knock for the scorings that nobody works on; their keys."""
    return tell_of_abandoned(Scoring, ScoringItem.objects.filter(scoring=OuterRef("pk")), knock)
