"""The abstract row of a job: many items within one budget, which people start, stop and resume."""

from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from jobs.limits import NO_LIMITS, Limits
from jobs.models.budgeted import Budgeted

AnyJob = TypeVar("AnyJob", bound="Job", covariant=True)


class JobQuerySet(models.QuerySet[AnyJob]):
    def active(self) -> Self:
        return self.filter(state__in=self.model.ACTIVE)

    def resumable(self) -> Self:
        return self.filter(state__in=self.model.RESUMABLE)

    def finished(self) -> Self:
        return self.filter(state=self.model.FINISHED)


class Job(Budgeted):
    """A job has `items` (jobs/models/item.py), related by that name.

    A concrete job has a `state` of its own `State`. `ACTIVE` are the states in which it is worked on; it starts and is
    resumed in the first of them. `RESUMABLE` are those in which it can be resumed, `STOPPED` and `FINISHED` its ends.
    `TITLE` names it in sentences. `error` is the reason why it stopped by itself. `attempts` counts openings and
    endings in a row that did not succeed. `ending_until`: until when one process has its end to itself.
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

    def resume(self, limits: Limits = NO_LIMITS) -> bool:
        """Let what is left be worked on, and once more what failed. Limits that are None stay as they are.

        Raises StartError where what it has spent leaves no room. False where it was not resumable. Enqueue it
        afterwards (jobs/enqueue.py).
        """
        limits = self.raised(limits)
        self.check_limits(limits, self.TITLE)
        columns: dict[str, Any] = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd}
        columns |= {"state": self.ACTIVE[0], "error": "", "attempts": 0, "finished_at": None}
        with transaction.atomic():
            mine = JobQuerySet(type(self)).resumable().filter(pk=self.pk)
            if not mine.update(**columns):
                return False
            self.items.all().retry()
        self.refresh_from_db(fields=[*columns])
        return True

    def _end_in(self, state: str, error: str, finished_at: datetime | None) -> bool:
        columns = {"state": state, "error": error, "finished_at": finished_at, "ending_until": None}
        active = JobQuerySet(type(self)).active().filter(pk=self.pk)
        if not active.update(**columns):
            return False
        self.refresh_from_db(fields=[*columns])
        return True
