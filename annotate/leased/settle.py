"""What becomes of a leased row: done, failed for good, or waiting for another attempt."""

from typing import Any

from django.utils import timezone

from annotate.models.leased import Leased, LeasedQuerySet, Row

MAX_ATTEMPTS = 3


def finish(held: LeasedQuerySet[Row], **brought: Any) -> bool:
    """Mark the row done, if the owner still holds it (`held`); call it in one transaction with what it brought."""
    return bool(held.put(Leased.State.DONE, error="", settled_at=timezone.now(), **brought))


def fail(held: LeasedQuerySet[Row], attempts: int, error: str, *, final: bool) -> None:
    """Keep the reason. The row is tried again unless that is final, or was the last of MAX_ATTEMPTS."""
    if final or attempts >= MAX_ATTEMPTS:
        held.put(Leased.State.FAILED, attempts=attempts, error=error, settled_at=timezone.now())
    else:
        held.put(Leased.State.WAITING, attempts=attempts, error=error)
