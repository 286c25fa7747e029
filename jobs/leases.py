"""Leases: who works on which item, and until when; taken, renewed and given back by conditional updates only."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from jobs.models import GroupedItem, JobItem, JobItemQuerySet
from jobs.signals import item_failed

logger = logging.getLogger("touchstone.jobs")

AnyItem = TypeVar("AnyItem", bound=JobItem)

LOST = "The worker was lost while working on it."
LOST_TOO_OFTEN = "The worker was lost {attempts} times while working on it."


@dataclass(frozen=True)
class Lease(Generic[AnyItem]):
    """An item in the hands of one owner. Every method writes only while the owner holds the lease, and returns whether
    it did: call it first in one transaction with the results."""

    item: AnyItem
    owner: str

    @property
    def row(self) -> JobItemQuerySet[AnyItem]:
        held: JobItemQuerySet[Any] = JobItemQuerySet(type(self.item)).held_by(self.owner)
        return held.filter(pk=self.item.pk)

    def note(self, **columns: Any) -> bool:
        """Write columns such as how far it is; the lease stays."""
        return bool(self.row.update(**columns))

    def finish(self, **columns: Any) -> bool:
        """Mark the item done."""
        return self._settle(JobItem.State.DONE, **{"error": "", **columns})

    def fail(self, error: str) -> bool:
        """Mark the item failed for good, with the reason."""
        with transaction.atomic():
            failed = self._settle(JobItem.State.FAILED, error=error)
            if failed:
                announce_failures([self.item])
        return failed

    def retry(self, error: str, delay: timedelta | None = None) -> bool:
        """Let the item wait for another attempt, after the delay."""
        later = timezone.now() + delay if delay else None
        return bool(self.row.put(JobItem.State.WAITING, error=error, not_before=later))

    def advance(self, **columns: Any) -> bool:
        """Let the item wait for its next stage, with no attempt used."""
        return bool(self.row.put(JobItem.State.WAITING, **{"attempts": 0, "error": "", **columns}))

    def give_back(self, delay: timedelta | None = None) -> bool:
        """Let the item wait as if it had not been leased."""
        row = self.row
        later = timezone.now() + delay if delay else None
        return bool(row.put(JobItem.State.WAITING, attempts=F("attempts") - 1, not_before=later))

    def delete(self) -> bool:
        deleted, _ = self.row.delete()
        return bool(deleted)

    def _settle(self, state: str, **columns: Any) -> bool:
        return bool(self.row.put(state, **{"settled_at": timezone.now(), **columns}))


def lease_items(
    waiting: JobItemQuerySet[AnyItem],
    owner: str,
    count: int,
    max_attempts: int,
    *,
    holds_none: bool = True,
    seconds: float | None = None,
) -> list[Lease[AnyItem]]:
    """Up to `count` leases of waiting items; those with fewer attempts come first. Each takes one attempt.

    An item on its last attempt whose worker was lost before is leased alone, so that the loss of a worker fails no
    other item with it. `holds_none`: the owner holds no lease. `seconds`: as of `lease_end`. Two owners never get the
    same item: PostgreSQL skips rows that another transaction has locked, and on SQLite transactions that write are one
    at a time.
    """
    alone = Q(attempts__gte=max_attempts - 1, error=LOST)
    with transaction.atomic():
        items = _lock(waiting.exclude(alone), count)
        if not items and holds_none and count > 0:
            items = _lock(waiting.filter(alone), 1)
        for item in items:
            item.attempts += 1
        leased: JobItemQuerySet[Any] = JobItemQuerySet(waiting.model)
        leased.filter(pk__in=[item.pk for item in items]).update(
            state=JobItem.State.LEASED, lease_owner=owner, lease_until=lease_end(seconds), attempts=F("attempts") + 1
        )
    return [Lease(item, owner) for item in items]


def _lock(waiting: JobItemQuerySet[AnyItem], count: int) -> list[AnyItem]:
    if count <= 0:
        return []
    return list(_skip_locked(waiting.order_by("attempts", "pk"))[:count])


def _skip_locked(rows: JobItemQuerySet[AnyItem]) -> JobItemQuerySet[AnyItem]:
    if connection.features.has_select_for_update_skip_locked:
        return rows.select_for_update(skip_locked=True, of=("self",))
    return rows


def is_alone(lease: Lease[Any], max_attempts: int) -> bool:
    """Whether the item must be worked on alone (lease_items)."""
    return bool(lease.item.attempts >= max_attempts and lease.item.error == LOST)


def free_expired(rows: JobItemQuerySet[AnyItem], max_attempts: int) -> list[AnyItem]:
    """Take back the leases that nobody renewed in time: their owners are gone. The items that failed with it, because
    that was their last attempt."""
    expired = rows.leased().filter(lease_until__lt=timezone.now())
    # Looked for first: it goes with every heartbeat, and a write holds up all others on SQLite.
    if not expired.exists():
        return []
    with transaction.atomic():
        # Those that their owner stores at this moment stay its own; to wait for them would be a deadlock.
        lost = list(_skip_locked(expired))
        failed = [item for item in lost if item.attempts >= max_attempts]
        reason = LOST_TOO_OFTEN.format(attempts=max_attempts)
        _these(expired, failed).put(JobItem.State.FAILED, error=reason, settled_at=timezone.now())
        _these(expired, [item for item in lost if item.attempts < max_attempts]).put(JobItem.State.WAITING, error=LOST)
        announce_failures(failed)
    return failed


def _these(rows: JobItemQuerySet[AnyItem], items: Sequence[AnyItem]) -> JobItemQuerySet[AnyItem]:
    return rows.filter(pk__in=[item.pk for item in items])


def announce_failures(items: Sequence[JobItem]) -> None:
    """Send the signal of each item that is work by itself; call it in the transaction that marks them failed."""
    for item in items:
        if isinstance(item, GroupedItem):
            item_failed.send(type(item), item=item)


def lease_end(seconds: float | None = None) -> datetime:
    """The end of a lease that begins now; None: after RUN_LEASE_SECONDS."""
    return timezone.now() + timedelta(seconds=seconds or settings.RUN_LEASE_SECONDS)


@contextmanager
def renewing_leases(rows: JobItemQuerySet[Any], owner: str) -> Iterator[None]:
    """Lengthen the owner's leases as long as the block lasts."""
    with renewing(lambda: renew_leases(rows, owner)):
        yield


def renew_leases(rows: JobItemQuerySet[Any], owner: str) -> int:
    """How many. Those that are being stored at this moment need none, and to wait for them would be a deadlock: both
    lock many rows, in different orders."""
    with transaction.atomic():
        held = list(_skip_locked(rows.held_by(owner)).values_list("pk", flat=True))
        return rows.filter(pk__in=held).update(lease_until=lease_end())


@contextmanager
def renewing(renew: Callable[[], object]) -> Iterator[None]:
    """Call `renew` four times in RUN_LEASE_SECONDS as long as the block lasts, from a thread of its own: neither a long
    step of the work nor one failed renewal ends the renewal."""
    over = Event()

    def renew_until_over() -> None:
        while not over.wait(settings.RUN_LEASE_SECONDS / 4):
            try:
                renew()
            except DatabaseFailure as error:
                logger.warning("A renewal failed and is tried again: %s", error)
            finally:
                connection.close()

    thread = Thread(target=renew_until_over, name="renewal", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
