"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from factor.models import Perplexity, PerplexityItem


def knock(perplexity: int) -> bool:
    """Tell the workers of the pass (its primary key); False where the queue is out of reach."""
    from factor.perplexity.tasks import work_on_perplexity

    if not knock_for(work_on_perplexity, perplexity):
        return False
    Perplexity.objects.filter(pk=perplexity).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for the passes that nobody works on; their keys."""
    free_expired(PerplexityItem.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    at_work = PerplexityItem.objects.leased().filter(perplexity=OuterRef("pk"))
    left = Perplexity.objects.under_way().exclude(Exists(at_work)).exclude(knocked_at__gte=patience)
    return [perplexity for perplexity in list(left.values_list("pk", flat=True)) if knock(perplexity)]
