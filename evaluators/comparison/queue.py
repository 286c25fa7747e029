"""The knock on the workers' door for a large comparison, and finding what was lost with every beat of a worker.

What is to be computed stands in the rows; a knock can be lost, or come twice.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from evaluators.models import Comparison


def knock(comparison: int) -> bool:
    """Tell the workers of it (its primary key); False where the queue is out of reach: it then waits for a sweep."""
    from evaluators.comparison.tasks import compute_comparison

    if not knock_for(compute_comparison, comparison):
        return False
    Comparison.objects.filter(pk=comparison).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for what waits and has not been knocked for within a lease's time; their keys."""
    free_expired(Comparison.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    unheard = Comparison.objects.waiting().filter(Q(knocked_at__isnull=True) | Q(knocked_at__lt=patience))
    return [each for each in list(unheard.values_list("pk", flat=True)) if knock(each)]
