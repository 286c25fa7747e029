"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from django.db.models import OuterRef

from annotate.leased.workers import tell_of, tell_of_abandoned
from factor.models import Making, MakingItem


def knock(making: int) -> bool:
    """Tell the workers of the making (its primary key); False where the queue is out of reach."""
    from factor.making.tasks import work_on_making

    return tell_of(Making, making, work_on_making)


def sweep() -> list[int]:
    """Free expired leases, and knock for the makings that nobody works on; their keys."""
    return tell_of_abandoned(Making, MakingItem.objects.filter(making=OuterRef("pk")), knock)
