"""Time worked on a task: measured by the page, believed only as far as the clock on the wall allows."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone


def counted_seconds(reported: int, lease_until: datetime | None, now: datetime | None = None) -> int:
    """The plausible part of the seconds reported since the last save: not more than have passed since the lease was
    renewed last, which each opening and each save does. None (no lease): none.
    """
    if lease_until is None:
        return 0
    renewed = lease_until - timedelta(hours=settings.TASK_LEASE_HOURS)
    passed = int(((now or timezone.now()) - renewed).total_seconds())
    return max(0, min(reported, passed))
