"""Work of many leased rows within one budget, which people begin, stop and go on with."""

from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models

from jobs.models import Budgeted

Work = TypeVar("Work", bound="Undertaking", covariant=True)


class UndertakingQuerySet(models.QuerySet[Work]):
    def under_way(self) -> Self:
        return self.filter(state=self.model.UNDER_WAY)

    def at_rest(self) -> Self:
        """Those that can be gone on with."""
        return self.filter(state__in=self.model.AT_REST)

    def finished(self) -> Self:
        return self.filter(state=self.model.State.FINISHED)

    def stop(self) -> int:
        """Let nobody work on those under way; how many there were."""
        return self.under_way().update(state=self.model.State.STOPPED)

    def take_up(self, **changes: Any) -> int:
        """Let those at rest be worked on; how many there were."""
        return self.at_rest().update(state=self.model.UNDER_WAY, error="", finished_at=None, **changes)


class Undertaking(Budgeted):
    """Its rows are its `items` (annotate/models/leased.py), its `state` one of its own `State`, of which `UNDER_WAY` is
    that in which it is worked on and `AT_REST` those in which it can be gone on with. `CALLED` so in sentences for
    people. `error` says why it stopped by itself."""

    State: ClassVar[Any]
    UNDER_WAY: ClassVar[str]
    AT_REST: ClassVar[tuple[str, ...]]
    CALLED: ClassVar[str]
    items: ClassVar[Any]
    state: Any

    error = models.TextField(blank=True)
    knocked_at = models.DateTimeField(null=True, blank=True, help_text="When the queue was last told of it.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = UndertakingQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def is_under_way(self) -> bool:
        return bool(self.state == self.UNDER_WAY)
