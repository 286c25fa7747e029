"""The policy of errors (jobs/errors.py) put on an item."""

import logging
from typing import Any

from django.db import InterfaceError, OperationalError

from core.disk import SENTENCE, is_full
from jobs.errors import ItemError, JobError, PostponedError
from jobs.kinds import JobKind
from jobs.leases import Lease

logger = logging.getLogger("touchstone.jobs")

# The database is out of reach, full or busy: items under way are left to the sweep.
DATABASE_AWAY = (OperationalError, InterfaceError)
UNFORESEEN = "Something went wrong on the server, and its log says what ({name})."


def cause_of(error: Exception) -> Exception:
    """The exception that decides: of a group the first of the most far-reaching kind, else the error itself."""
    if not isinstance(error, ExceptionGroup):
        return error
    causes = [cause_of(each) for each in error.exceptions]
    for kinds in (DATABASE_AWAY, JobError, PostponedError):
        for cause in causes:
            if isinstance(cause, kinds):
                return cause
    return causes[0]


def settle_failure(kind: JobKind[Any], lease: Lease[Any], error: Exception) -> None:
    """Postpone the item, let it wait for another attempt, or mark it failed."""
    if isinstance(error, PostponedError):
        lease.give_back(error.delay)
        return
    expected = isinstance(error, ItemError | JobError)
    if not expected:
        logger.error("An item of %s broke off: %s %s.", kind.name, kind.items.__name__, lease.item.pk, exc_info=error)
    reason = sentence_of(error)
    again = error.retry if isinstance(error, ItemError) else not expected
    if again and lease.item.attempts < kind.max_attempts:
        lease.retry(reason, error.delay if isinstance(error, ItemError) else None)
    elif lease.fail(reason):
        kind.on_failure(lease.item)


def sentence_of(error: Exception) -> str:
    """The reason in plain words."""
    if isinstance(error, ItemError | JobError):
        message = str(error)
        return message[:1].upper() + message[1:]
    if is_full(error):
        return f"{SENTENCE}."
    return UNFORESEEN.format(name=type(error).__name__)
