"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from factor.models import Scoring, ScoringItem


def knock(scoring: int) -> bool:
    """Tell the workers of the scoring (its primary key); False where the queue is out of reach."""
    from factor.scoring.tasks import work_on_scoring

    if not knock_for(work_on_scoring, scoring):
        return False
    Scoring.objects.filter(pk=scoring).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for the scorings that nobody works on; their keys."""
    free_expired(ScoringItem.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    at_work = ScoringItem.objects.leased().filter(scoring=OuterRef("pk"))
    left = Scoring.objects.under_way().exclude(Exists(at_work)).exclude(knocked_at__gte=patience)
    return [scoring for scoring in list(left.values_list("pk", flat=True)) if knock(scoring)]
