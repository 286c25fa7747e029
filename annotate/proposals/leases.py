"""Leases of proposals: who asks for which, and until when; taken and given back through conditional updates only."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from annotate.models import Proposal


def lease_next(dataset: int, kind: str, model: str, owner: str) -> Proposal | None:
    """The next waiting one of the dataset (primary key), now leased to the owner; those that failed before come last.

    Two owners never get the same: PostgreSQL skips rows that another transaction has locked, and on SQLite
    transactions that write are one at a time.
    """
    with transaction.atomic():
        waiting = Proposal.objects.waiting().filter(response__dataset=dataset, kind=kind, model=model)
        waiting = waiting.select_related("response__prompt").order_by("attempts", "pk")
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True, of=("self",))
        found = waiting.first()
        if found is not None:
            Proposal.objects.filter(pk=found.pk).update(
                state=Proposal.State.LEASED, lease_owner=owner, lease_until=lease_end()
            )
    return found


def renew_leases(owner: str) -> int:
    """Lengthen the leases that the owner still holds; how many they are."""
    return Proposal.objects.held_by(owner).update(lease_until=lease_end())


def give_back(owner: str) -> int:
    """Let go of what the owner holds and has not settled."""
    return Proposal.objects.held_by(owner).free()


def free_expired() -> int:
    """Take back the leases that nobody renewed in time: their owners are gone."""
    expired = Proposal.objects.filter(lease_until__lt=timezone.now())
    # Looked for first: it goes with every beat of a worker's heart, and a write holds up all others on SQLite.
    return expired.free() if expired.exists() else 0


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)
