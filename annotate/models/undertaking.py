"""Work of many leased rows within one budget, which people begin, stop and go on with."""

from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models

from annotate.models.budgeted import Budgeted

Work = TypeVar("Work", bound="Undertaking", covariant=True)


class UndertakingQuerySet(models.QuerySet[Work]):
    def under_way(self) -> Self:
        return self.filter(state=self.model.UNDER_WAY)

    def finished(self) -> Self:
        return self.filter(state=self.model.State.FINISHED)


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

    class Meta:
        abstract = True

    @property
    def is_under_way(self) -> bool:
        return bool(self.state == self.UNDER_WAY)
