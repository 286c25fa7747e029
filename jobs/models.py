"""The tables of the room, and the abstract models of jobs and items."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils import timezone

from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from jobs.signals import job_ended


class Budgeted(models.Model):
    """`max_tokens` and `max_cost_usd` are the budget, None without a limit. `spent_*`: the spending of its own calls;
    answers from the cache are free. `held`: by owner, the greatest possible spending of calls under way
    (jobs/budget.py)."""

    max_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    max_cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    spent_tokens = models.PositiveBigIntegerField(default=0)
    spent_usd = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    held = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    @property
    def is_limited(self) -> bool:
        return self.max_tokens is not None or self.max_cost_usd is not None

    @property
    def reached(self) -> str:
        """The sentence where a call does not fit any more."""
        return "The budget is spent: the next call could exceed it."

    def check_limits(self, limits: Limits, title: str) -> None:
        """Raises StartError where the spending leaves no room under the limits. `title` names the work."""
        if limits.tokens is not None and self.spent_tokens >= limits.tokens:
            raise StartError(
                f"The {title} has spent {self.spent_tokens:,} tokens: raise its limit of {limits.tokens:,} first."
            )
        if limits.cost_usd is not None and self.spent_usd >= limits.cost_usd:
            raise StartError(
                f"The {title} has spent ${self.spent_usd:f}: raise its limit of ${limits.cost_usd:f} first."
            )

    def raised(self, limits: Limits) -> Limits:
        """The limits given; its own limit in place of None."""
        return Limits(limits.tokens or self.max_tokens, limits.cost_usd or self.max_cost_usd)


Item = TypeVar("Item", bound="JobItem", covariant=True)


class JobItemQuerySet(models.QuerySet[Item]):
    def waiting(self) -> Self:
        return self.filter(state=JobItem.State.WAITING)

    def due(self) -> Self:
        """Waiting rows whose time before the next attempt is over."""
        return self.waiting().filter(Q(not_before=None) | Q(not_before__lte=timezone.now()))

    def leased(self) -> Self:
        return self.filter(state=JobItem.State.LEASED)

    def held_by(self, owner: str) -> Self:
        return self.leased().filter(lease_owner=owner)

    def unsettled(self) -> Self:
        return self.filter(state__in=JobItem.UNSETTLED)

    def done(self) -> Self:
        return self.filter(state=JobItem.State.DONE)

    def failed(self) -> Self:
        return self.filter(state=JobItem.State.FAILED)

    def retry(self) -> int:
        """Put failed rows back among the waiting ones, with no attempt used; how many there were."""
        return self.failed().put(JobItem.State.WAITING, attempts=0, settled_at=None)

    def give_back(self) -> int:
        """Put leased rows back among the waiting ones; the attempt does not count. How many there were."""
        return self.leased().put(JobItem.State.WAITING, attempts=Greatest(F("attempts") - 1, 0))

    def put(self, state: str, **columns: Any) -> int:
        """Set the state and take the lease away; how many rows there were."""
        return self.update(**{"state": state, "lease_owner": "", "lease_until": None, "not_before": None, **columns})


class JobItem(models.Model):
    """A row that one worker at a time works on; only the holder of its lease settles it.

    `attempts` counts the leases that were taken, without those given back. `error` is the reason of the last failure.
    `not_before`: the time before which it is not leased again; None: any time.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        LEASED = "leased", "Being worked on"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    UNSETTLED = (State.WAITING, State.LEASED)

    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "leased", "done", "failed"]), name="%(class)s_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="leased", lease_until__isnull=False) & ~Q(lease_owner="") | ~Q(state="leased"),
                name="%(class)s_leased_has_owner",
            ),
        ]

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        """As of a job; asked of an item only where it has no job."""
        return ()

    @property
    def is_settled(self) -> bool:
        return self.state not in self.UNSETTLED


class GroupedItem(JobItem):
    """An item without a job: a row that is work by itself, or one of a group that is enqueued under one key.

    `enqueued_at`: the last time that the queue got its key.
    """

    enqueued_at = models.DateTimeField(null=True, blank=True)

    class Meta(JobItem.Meta):
        abstract = True


AnyJob = TypeVar("AnyJob", bound="Job", covariant=True)


class JobQuerySet(models.QuerySet[AnyJob]):
    def active(self) -> Self:
        return self.filter(state__in=self.model.ACTIVE)

    def resumable(self) -> Self:
        return self.filter(state__in=self.model.RESUMABLE)

    def finished(self) -> Self:
        return self.filter(state=self.model.FINISHED)


class Job(Budgeted):
    """A job has `items`, related by that name.

    A concrete job has a `state` of its own `State`. `ACTIVE`: the states of a job under way; it starts and is resumed
    in the first of them. `RESUMABLE`: the states in which it can be resumed. `STOPPED` and `FINISHED`: its ends.
    `TITLE` names it in sentences. `error`: the reason why it stopped by itself. `attempts`: failed openings and endings
    in a row. `ending_until`: the time until which one process has its end to itself.
    """

    State: ClassVar[Any]
    ACTIVE: ClassVar[tuple[str, ...]]
    RESUMABLE: ClassVar[tuple[str, ...]]
    STOPPED: ClassVar[str]
    FINISHED: ClassVar[str]
    TITLE: ClassVar[str]
    items: ClassVar[Any]
    state: Any

    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    ending_until = models.DateTimeField(null=True, blank=True)
    enqueued_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE

    @property
    def is_resumable(self) -> bool:
        return self.state in self.RESUMABLE

    def stop(self) -> bool:
        """Lease no other item; items under way end, and their results are kept. False where it was not active."""
        return self._end_in(self.STOPPED, "", None)

    def stop_with(self, error: Exception) -> bool:
        """Stop for a reason that no other item can escape. False where it was not active."""
        return self._end_in(self.state_after(error), str(error), None)

    def finish(self) -> bool:
        """Mark the active job finished; False where it is not active. Call it in one transaction with its results."""
        return self._end_in(self.FINISHED, "", timezone.now())

    def state_after(self, error: Exception) -> str:
        """The state in which the job ends for this reason."""
        return self.STOPPED

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        """The Budgeted rows that its calls keep to beside its own, table by table and in one order of tables for all
        work; they have a `check_left`, which raises StartError where nothing is left. Empty: there can be none."""
        return ()

    def resume(self, limits: Limits = NO_LIMITS) -> bool:
        """Put the waiting and the failed items back to work. Limits that are None stay as they are.

        Raises StartError where its spending leaves no room. False where it was not resumable. Enqueue it afterwards
        (jobs/enqueue.py).
        """
        limits = self.raised(limits)
        self.check_limits(limits, self.TITLE)
        for shared in chain.from_iterable(self.shared_budgets()):
            shared.check_left()
        columns: dict[str, Any] = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd}
        columns |= {"state": self.ACTIVE[0], "error": "", "attempts": 0, "finished_at": None}
        with transaction.atomic():
            mine: JobQuerySet[Any] = JobQuerySet(type(self)).resumable().filter(pk=self.pk)
            if not mine.update(**columns):
                return False
            self.items.all().retry()
        self.refresh_from_db(fields=[*columns])
        return True

    def _end_in(self, state: str, error: str, finished_at: datetime | None) -> bool:
        columns = {"state": state, "error": error, "finished_at": finished_at, "ending_until": None}
        active: JobQuerySet[Any] = JobQuerySet(type(self)).active().filter(pk=self.pk)
        with transaction.atomic():
            if not active.update(**columns):
                return False
            self.refresh_from_db(fields=[*columns])
            job_ended.send(type(self), job=self)
        return True


MISSED_BEATS = 3


def patience() -> timedelta:
    """How old a beat may be. A busy database may hold one back for some seconds."""
    return timedelta(seconds=MISSED_BEATS * settings.HEARTBEAT_SECONDS + 5)


class Worker(models.Model):
    """One queue that a Celery worker serves. A worker whose beat is old is gone."""

    name = models.CharField(max_length=200)
    queue = models.CharField(max_length=20)
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "queue"], name="worker_queue_once")]

    def __str__(self) -> str:
        return f"{self.name}, {self.queue}"


def alive_workers() -> models.QuerySet[Worker]:
    return Worker.objects.filter(beat_at__gte=timezone.now() - patience())


def is_worker_alive(queue: str | None = None) -> bool:
    """Whether a worker serves the queue; None: any queue. Without a worker, enqueued work waits."""
    alive = alive_workers()
    return (alive if queue is None else alive.filter(queue=queue)).exists()


def served_queues() -> set[str]:
    return set(alive_workers().values_list("queue", flat=True))
