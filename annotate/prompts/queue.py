"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart.

What is to be done stands in the rows; a knock can be lost, or come twice.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from annotate.models import Generation, GenerationItem


def knock(generation: int) -> bool:
    """Tell the workers of the generation (its primary key); False where the queue is out of reach."""
    from annotate.prompts.tasks import work_on_generation

    if not knock_for(work_on_generation, generation):
        return False
    Generation.objects.filter(pk=generation).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for the generations that nobody works on; their keys."""
    free_expired(GenerationItem.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    at_work = GenerationItem.objects.leased().filter(generation=OuterRef("pk"))
    left = Generation.objects.under_way().exclude(Exists(at_work)).exclude(knocked_at__gte=patience)
    return [generation for generation in list(left.values_list("pk", flat=True)) if knock(generation)]
