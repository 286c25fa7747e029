"""The abstract row that a worker leases."""

from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils import timezone

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
