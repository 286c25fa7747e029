"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from django.db.models import OuterRef

from annotate.leased.workers import tell_of, tell_of_abandoned
from factor.models import Perplexity, PerplexityItem


def knock(perplexity: int) -> bool:
    """Tell the workers of the pass (its primary key); False where the queue is out of reach."""
    from factor.perplexity.tasks import work_on_perplexity

    return tell_of(Perplexity, perplexity, work_on_perplexity)


def sweep() -> list[int]:
    """Free expired leases, and knock for the passes that nobody works on; their keys."""
    return tell_of_abandoned(Perplexity, PerplexityItem.objects.filter(perplexity=OuterRef("pk")), knock)
