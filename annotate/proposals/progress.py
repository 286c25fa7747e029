"""The progress of a dataset's proposals."""

from dataclasses import dataclass

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.models import Dataset, Proposal
from jobs.progress import PATIENCE, rate_of, reasons_of

FAILURES_SHOWN = 20
State = Proposal.State


@dataclass(frozen=True)
class ProposalProgress:
    """Counts of the proposals asked for since the oldest that is not settled; all zero where all are settled.

    rate, reasons: as of a job's progress. last_error: the reason of the last failed attempt that is to be made again;
    "" where there is none.
    """

    waiting: int
    leased: int
    done: int
    failed: int
    not_picked_up: bool
    rate: float | None = None
    reasons: tuple[tuple[str, int], ...] = ()
    last_error: str = ""

    @property
    def active(self) -> bool:
        return self.waiting + self.leased > 0

    @property
    def settled(self) -> int:
        return self.done + self.failed

    @property
    def total(self) -> int:
        return self.settled + self.waiting + self.leased

    @property
    def share(self) -> float:
        return self.settled / self.total if self.total else 0.0

    @property
    def left(self) -> float | None:
        """Seconds until all are settled at the rate; None where there is none."""
        return (self.waiting + self.leased) / self.rate if self.rate else None


def progress_of(dataset: Dataset, kind: str) -> ProposalProgress:
    """`not_picked_up`: something waits, and for a while nobody has taken anything up."""
    rows = Proposal.objects.filter(response__dataset=dataset, kind=kind)
    since = rows.unsettled().aggregate(since=Min("created_at"))["since"]
    if since is None:
        return ProposalProgress(0, 0, 0, 0, not_picked_up=False)
    recent = rows.filter(created_at__gte=since)
    counted = recent.aggregate(
        waiting=Count("pk", filter=Q(state=State.WAITING)),
        leased=Count("pk", filter=Q(state=State.LEASED)),
        done=Count("pk", filter=Q(state=State.DONE)),
        failed=Count("pk", filter=Q(state=State.FAILED)),
    )
    long_ago = timezone.now() - PATIENCE
    fresh = rows.filter(Q(settled_at__gte=long_ago) | Q(created_at__gte=long_ago)).exists()
    again = rows.unsettled().exclude(error="").order_by("-pk").values_list("error", flat=True)
    return ProposalProgress(
        **counted,
        not_picked_up=not counted["leased"] and not fresh,
        rate=rate_of(recent),
        reasons=reasons_of(recent) if counted["failed"] else (),
        last_error=again.first() or "",
    )


def failures_of(dataset: Dataset, kind: str) -> QuerySet[Proposal]:
    """The last proposals of responses, where they failed, newest first."""
    later = Proposal.objects.filter(response=OuterRef("response"), kind=kind, pk__gt=OuterRef("pk"))
    failed = Proposal.objects.failed().filter(response__dataset=dataset, kind=kind)
    return failed.exclude(Exists(later)).select_related("response").order_by("-pk")
