"""Work that stands in rows: a worker leases one, and only the holder of the lease may settle it."""

from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import Q

Row = TypeVar("Row", bound="Leased", covariant=True)


class LeasedQuerySet(models.QuerySet[Row]):
    def waiting(self) -> Self:
        return self.filter(state=Leased.State.WAITING)

    def leased(self) -> Self:
        return self.filter(state=Leased.State.LEASED)

    def held_by(self, owner: str) -> Self:
        return self.leased().filter(lease_owner=owner)

    def unsettled(self) -> Self:
        """Those that are still to be worked on, whoever holds them."""
        return self.filter(state__in=Leased.UNSETTLED)

    def failed(self) -> Self:
        return self.filter(state=Leased.State.FAILED)

    def retry(self) -> int:
        """Put failed ones back among those that wait, as if they had never been tried; how many there were."""
        return self.failed().put(Leased.State.WAITING, attempts=0, settled_at=None)

    def free(self) -> int:
        """Put leased ones back among those that wait; how many there were."""
        return self.leased().put(Leased.State.WAITING)

    def put(self, state: str, **changes: Any) -> int:
        """Give them the state, and no holder; how many there were."""
        return self.update(state=state, lease_owner="", lease_until=None, **changes)


class Leased(models.Model):
    """`attempts` counts failures, not losses of a worker; `error` is the last of them."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        LEASED = "leased", "Being asked"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    UNSETTLED = (State.WAITING, State.LEASED)

    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
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
