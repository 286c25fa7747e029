"""Work of a worker that notes now and then that it goes on: rows with a `state`, of which their model's WORKING are to
be worked on, and the last beat, `beat_at`."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import InterfaceError, OperationalError, connection
from django.db.models import QuerySet
from django.utils import timezone

from core.errors import DataError

logger = logging.getLogger("touchstone.queue")

BROKEN = "Something went wrong on the server, and its log says what."


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


@contextmanager
def ending_for_good(called: str) -> Iterator[None]:
    """Log what nobody expected of the work, `called` so, and raise a DataError in its place, by which it ends: queued
    anew it would break off again, for ever.

    That the database is out of reach or busy goes on as it is: the work then stands still, and is queued anew.
    """
    try:
        yield
    except (DataError, OperationalError, InterfaceError):
        raise
    except Exception as error:
        logger.exception("%s broke off.", called)
        raise DataError(BROKEN) from error


@contextmanager
def beating(beat: Callable[[], object]) -> Iterator[None]:
    """Call `beat` four times in RUN_LEASE_SECONDS as long as the block lasts, from a thread of its own: a step of the
    work may take longer than that, and nobody may think it lost."""
    over = Event()

    def beat_until_over() -> None:
        while not over.wait(settings.RUN_LEASE_SECONDS / 4):
            try:
                beat()
            except DatabaseFailure as error:
                logger.warning("A beat failed, the next one may not: %s", error)
            finally:
                connection.close()

    thread = Thread(target=beat_until_over, name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
