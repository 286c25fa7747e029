"""How far a job is, and how fast."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from jobs.kinds import JobKind
from jobs.models import GroupedItem, Job, JobItem, JobItemQuerySet

# A worker that is alive and free takes up a message within a second.
PATIENCE = timedelta(seconds=10)
# The rate is that of so many of the last settled items.
LATEST = 50
REASONS_SHOWN = 20
# Of items: how many in each state, and when the last was settled.
COUNTS = {
    "total": Count("pk"),
    "leased": Count("pk", filter=Q(state=JobItem.State.LEASED)),
    "done": Count("pk", filter=Q(state=JobItem.State.DONE)),
    "failed": Count("pk", filter=Q(state=JobItem.State.FAILED)),
    "last": Max("settled_at"),
}


@dataclass(frozen=True)
class JobProgress:
    """Counts of items. rate: of the last settled, items a second; None before two have settled. not_picked_up:
    something waits, and nobody has taken anything up for a while. reasons: of failures, with how often each occurs."""

    total: int
    leased: int
    done: int
    failed: int
    rate: float | None
    not_picked_up: bool
    reasons: tuple[tuple[str, int], ...]

    @property
    def settled(self) -> int:
        return self.done + self.failed

    @property
    def share(self) -> float:
        """The share of items that are settled, from 0 to 1."""
        return self.settled / self.total if self.total else 0.0

    @property
    def left(self) -> float | None:
        """Seconds until all are settled at the rate; None where there is none."""
        return (self.total - self.settled) / self.rate if self.rate else None


def counts_of(job: Job, **counted: Any) -> dict[str, Any]:
    """The columns of JobProgress, and aggregates over the items of one's own."""
    items = job.items.all()
    counts = items.aggregate(**COUNTS, **counted)
    moments = (job.created_at, job.enqueued_at, counts.pop("last"))
    last = max(moment for moment in moments if moment is not None)
    return {
        **counts,
        "rate": rate_of(items),
        "not_picked_up": job.is_active
        and not counts["leased"]
        and last < timezone.now() - PATIENCE
        and not _all_wait(items),
        "reasons": reasons_of(items) if counts["failed"] else (),
    }


def _all_wait(items: JobItemQuerySet[Any]) -> bool:
    """Whether every item that is left waits for its time: nobody could take one up."""
    return items.unsettled().exists() and not items.due().exists()


def counts_by_job(kind: type[JobKind[Any]], jobs: Collection[int]) -> dict[int, dict[str, Any]]:
    """Of each job of the kind, by its key: the numbers of COUNTS. One without an item is not there."""
    rows = kind().same_model().filter(**{f"{kind.key}__in": jobs}).order_by().values(kind.key).annotate(**COUNTS)
    return {row.pop(kind.key): row for row in rows}


def rate_of(items: QuerySet[Any]) -> float | None:
    """How many items a second have settled of late; None before two have."""
    settled = items.exclude(settled_at=None).order_by("-settled_at")
    moments = list(settled.values_list("settled_at", flat=True)[:LATEST])
    seconds = (moments[0] - moments[-1]).total_seconds() if moments else 0.0
    return (len(moments) - 1) / seconds if seconds else None


def reasons_of(items: QuerySet[Any]) -> tuple[tuple[str, int], ...]:
    """The reasons of failures, the most frequent first."""
    failed = items.filter(state=JobItem.State.FAILED).order_by().values_list("error")
    return tuple(failed.annotate(number=Count("pk")).order_by("-number", "error")[:REASONS_SHOWN])


def is_not_picked_up(item: GroupedItem) -> bool:
    """Whether an item without a job has waited for a while, or its worker was lost."""
    if item.state == JobItem.State.LEASED:
        return item.lease_until is not None and item.lease_until < timezone.now()
    since = max(item.enqueued_at or item.created_at, item.not_before or item.created_at)
    return item.state == JobItem.State.WAITING and since < timezone.now() - PATIENCE
