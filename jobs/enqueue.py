"""The Celery queue, which only notifies: the work stands in the database, and a message may be lost or doubled."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, Q, QuerySet
from django.utils import timezone

from jobs.kinds import JobKind, kind_of
from jobs.models import Job, JobItem, JobQuerySet
from jobs.work import sweep_expired

logger = logging.getLogger("touchstone.jobs")


def enqueue(row: Job | JobItem) -> bool:
    """Enqueue the job, or the item that is work by itself; False where the queue is out of reach."""
    kind = kind_of(type(row))()
    return enqueue_key(kind, row.pk)


def enqueue_key(kind: JobKind[Any], key: int) -> bool:
    """Enqueue the key of the kind; False where the queue is out of reach. A sweep then finds what waits."""
    from kombu.exceptions import ChannelError, OperationalError

    from jobs.tasks import work

    try:
        work.apply_async((kind.name, key), queue=kind.queue.value, retry=False)
    except (ChannelError, OperationalError, OSError) as error:
        logger.warning("The queue cannot be reached, %s %s waits for a sweep: %s", kind.name, key, error)
        return False
    rows = kind.job._default_manager.filter(pk=key) if kind.job else kind.all_items(key).waiting()
    rows.update(enqueued_at=timezone.now())
    return True


def sweep(kind: JobKind[Any]) -> list[int]:
    """Take back the leases of lost workers, and enqueue the keys that nobody works on; those keys. Done when a worker
    starts, and with every heartbeat."""
    sweep_expired(kind.same_model())
    return enqueue_waiting(kind)


def enqueue_waiting(kind: JobKind[Any]) -> list[int]:
    """Enqueue the keys that nobody works on and that were not enqueued within the time of a lease, as far as the kind's
    window has room; those keys."""
    keys = _abandoned_jobs(kind) if kind.job else _abandoned_groups(kind)
    if kind.window is not None:
        enqueued = kind.available(kind.same_model()).filter(enqueued_at__gte=_a_lease_ago()).count()
        keys = keys[: max(0, kind.window - enqueued)]
    return [key for key in keys if enqueue_key(kind, key)]


def _abandoned_jobs(kind: JobKind[Any]) -> list[int]:
    """Active jobs without a leased item: an item can be leased, or all items are settled and the end was lost."""
    assert kind.job is not None  # noqa: S101 - the caller has looked
    rows: JobQuerySet[Any] = JobQuerySet(kind.job).active().filter(_not_enqueued(), ~Exists(kind.same_key().leased()))
    rows = rows.filter(Q(ending_until=None) | Q(ending_until__lt=timezone.now()))
    rows = rows.filter(Exists(kind.available(kind.same_key())) | ~Exists(kind.same_key().unsettled()))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _abandoned_groups(kind: JobKind[Any]) -> list[int]:
    """Keys with a waiting item, without a leased one and not enqueued lately. An item whose `not_before` is later than
    its place in the queue is enqueued again."""
    others = kind.same_key()
    recent = others.waiting().filter(enqueued_at__gte=_a_lease_ago()).exclude(not_before__gt=F("enqueued_at"))
    rows: QuerySet[Any] = kind.available(kind.same_model()).filter(~Exists(others.leased()), ~Exists(recent))
    return list(dict.fromkeys(rows.order_by("pk").values_list(kind.key, flat=True)))


def _not_enqueued() -> Q:
    return Q(enqueued_at=None) | Q(enqueued_at__lt=_a_lease_ago())


def _a_lease_ago() -> datetime:
    return timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
