"""Leases: who works on which row, and until when; taken and given back through conditional updates only."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from annotate.models.leased import Leased, LeasedQuerySet, Row


def lease_next(waiting: LeasedQuerySet[Row], owner: str) -> Row | None:
    """The next of those that wait, now leased to the owner; those that failed before come last.

    Two owners never get the same: PostgreSQL skips rows that another transaction has locked, and on SQLite
    transactions that write are one at a time.
    """
    with transaction.atomic():
        waiting = waiting.order_by("attempts", "pk")
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True, of=("self",))
        found = waiting.first()
        if found is not None:
            of_kind = waiting.model._default_manager.filter(pk=found.pk)
            of_kind.update(state=Leased.State.LEASED, lease_owner=owner, lease_until=lease_end())
    return found


def renew_leases(rows: LeasedQuerySet[Row], owner: str) -> int:
    """Lengthen the leases that the owner still holds; how many they are."""
    return rows.held_by(owner).update(lease_until=lease_end())


def free_expired(rows: LeasedQuerySet[Row]) -> int:
    """Take back the leases that nobody renewed in time: their owners are gone."""
    expired = rows.filter(lease_until__lt=timezone.now())
    # Looked for first: it goes with every beat of a worker's heart, and a write holds up all others on SQLite.
    return expired.free() if expired.exists() else 0


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)
