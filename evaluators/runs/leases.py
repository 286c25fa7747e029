"""Leases: who works on which item of a run, and until when.

A lease is a row's owner and end. It is taken, renewed and given back through conditional updates only, so that nobody
needs to ask anybody else.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from evaluators.models import Run, RunItem


def lease_items(run: Run, owner: str, count: int) -> list[RunItem]:
    """Up to `count` pending items of the run, now leased to the owner; those that failed before come last.

    None while the run is not active. Two owners never get the same item: PostgreSQL skips rows that another transaction
    has locked, and on SQLite transactions that write are one at a time.
    """
    with transaction.atomic():
        pending = run.items.pending().filter(run__state__in=Run.ACTIVE).order_by("attempts", "position")
        if connection.features.has_select_for_update_skip_locked:
            pending = pending.select_for_update(skip_locked=True, of=("self",))
        items = list(pending[:count])
        RunItem.objects.filter(pk__in=[item.pk for item in items]).update(
            state=RunItem.State.LEASED, lease_owner=owner, lease_until=lease_end()
        )
    return items


def renew_leases(run: Run, owner: str) -> int:
    """Lengthen the leases that the owner still holds; how many they are."""
    return run.items.held_by(owner).update(lease_until=lease_end())


def give_back(run: Run, owner: str) -> int:
    """Let go of what the owner holds and has not settled."""
    return run.items.held_by(owner).free()


def free_expired() -> int:
    """Take back the leases that nobody renewed in time: their owners are gone."""
    return RunItem.objects.filter(lease_until__lt=timezone.now()).free()


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)
