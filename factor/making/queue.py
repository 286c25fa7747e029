"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from factor.models import Making, MakingItem


def knock(making: int) -> bool:
    """Tell the workers of the making (its primary key); False where the queue is out of reach."""
    from factor.making.tasks import work_on_making

    if not knock_for(work_on_making, making):
        return False
    Making.objects.filter(pk=making).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for the makings that nobody works on; their keys."""
    free_expired(MakingItem.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    at_work = MakingItem.objects.leased().filter(making=OuterRef("pk"))
    left = Making.objects.under_way().exclude(Exists(at_work)).exclude(knocked_at__gte=patience)
    return [making for making in list(left.values_list("pk", flat=True)) if knock(making)]
