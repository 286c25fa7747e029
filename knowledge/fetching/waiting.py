"""What waits to be fetched: knocked for, and taken back from workers that were lost.

The queue is only a knock on the door. At most WINDOW knocks wait there, so that a long list of links does not keep the
runs of evaluators from their workers.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from knowledge.models import Snapshot

logger = logging.getLogger("touchstone.snapshots")

WINDOW = 20
MAX_ATTEMPTS = 4
LOST = "The workers that tried to fetch it were lost."

State = Snapshot.State


def lease(now: datetime) -> datetime:
    """Until when a worker may be busy with a page, or with what was knocked for before: fetching, then reading it."""
    return now + timedelta(seconds=3 * settings.SNAPSHOT_SECONDS)


def sweep(now: datetime | None = None) -> int:
    """Take back what lost workers held, and knock for what waits; how many knocks there were."""
    now = now or timezone.now()
    lost = Snapshot.objects.filter(state=State.FETCHING, lease_until__lt=now)
    lost.filter(attempts__gte=MAX_ATTEMPTS).update(state=State.DEAD, error=LOST, lease_until=None, fetched_at=now)
    lost.update(state=State.QUEUED, lease_until=None)
    return knock_for_waiting(now)


def knock_for_waiting(now: datetime | None = None) -> int:
    """Knock for those that are due, the oldest first, as far as the window has room; how many."""
    now = now or timezone.now()
    knocked_for = Snapshot.objects.filter(state=State.QUEUED, lease_until__gte=now, attempts=0).count()
    due = Snapshot.objects.due(now).order_by("requested_at", "pk").values_list("pk", flat=True)
    return sum(_knock(pk, now) for pk in list(due[: max(0, WINDOW - knocked_for)]))


def _knock(pk: int, now: datetime) -> bool:
    """Tell the workers of the snapshot, unless somebody else just has. A knock may be lost: the sweep knocks again."""
    from knowledge.fetching.tasks import fetch_snapshot

    if not Snapshot.objects.due(now).filter(pk=pk).update(lease_until=lease(now)):
        return False
    try:
        fetch_snapshot.apply_async((pk,), retry=False)
    except (ChannelError, OperationalError, OSError) as error:
        logger.warning("The queue cannot be reached, snapshot %s waits: %s", pk, error)
    return True
