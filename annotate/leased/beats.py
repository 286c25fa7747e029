"""Work of a worker that notes now and then that it goes on: rows with a `state`, of which their model's WORKING are to
be worked on, and the last beat, `beat_at`."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone


def standing_still(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of the rows for which nothing has happened for a while: no worker lives, or one was lost."""
    stale = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    return rows.filter(state__in=rows.model.WORKING, beat_at__lt=stale)


def is_still(row: Any) -> bool:
    """Whether the row, as it was read, stands still."""
    stale = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    return row.state in row.WORKING and row.beat_at < stale


def queue_anew(rows: QuerySet[Any], knock: Callable[[int], None]) -> int:
    """Queue anew those that stand still, and knock for them; how many they were. One that ends or goes on meanwhile is
    left alone."""
    queued = 0
    for pk in list(standing_still(rows).values_list("pk", flat=True)):
        one = rows.model._default_manager.filter(pk=pk)
        if standing_still(one).update(state=rows.model.State.QUEUED, beat_at=timezone.now()):
            knock(pk)
            queued += 1
    return queued
