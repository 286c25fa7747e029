"""Fetch a page and freeze it: queued → being fetched under a lease → frozen, dead, or queued to be tried again."""

import hashlib
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import MEGABYTE, Fetched, Limits, fetch
from knowledge.fetching.page import Page
from knowledge.fetching.read import read
from knowledge.fetching.signals import page_frozen
from knowledge.fetching.waiting import MAX_ATTEMPTS, State, lease
from knowledge.models import Snapshot

# Before the second try; each further one waits so many times longer: 30 seconds, 2 and 8 minutes.
FIRST_PAUSE = timedelta(seconds=30)
LONGER = 4


def freeze(pk: int) -> None:
    """Fetch and freeze the snapshot if it still waits, and tell so; of several who try at once one does."""
    snapshot = take(pk)
    if snapshot is None:
        return
    try:
        fetched = fetch(snapshot.url, limits())
        page = read(fetched, settings.SNAPSHOT_SECONDS)
    except FetchError as error:
        put_down(snapshot, error)
    else:
        if keep(snapshot, fetched, page):
            page_frozen.send(Snapshot)


def limits() -> Limits:
    return Limits(settings.SNAPSHOT_SECONDS, int(settings.SNAPSHOT_LIMIT_MB * MEGABYTE), settings.SNAPSHOT_ALLOW)


def take(pk: int, now: datetime | None = None) -> Snapshot | None:
    """The snapshot, ours for the time of a lease; None if it is not waiting any more."""
    waiting = Snapshot.objects.filter(pk=pk, state=State.QUEUED)
    until = lease(now or timezone.now())
    if not waiting.update(state=State.FETCHING, attempts=F("attempts") + 1, lease_until=until):
        return None
    return Snapshot.objects.filter(pk=pk, state=State.FETCHING).first()


def keep(snapshot: Snapshot, fetched: Fetched, page: Page, now: datetime | None = None) -> bool:
    """Freeze it; False if it was taken from us in the meantime."""
    return _settle(
        snapshot,
        state=State.FROZEN,
        fetched_at=now or timezone.now(),
        final_url=fetched.final_url,
        media_type=fetched.media_type,
        title=page.title,
        published=page.published,
        text=page.text,
        text_hash=hash_of(page.text),
        lease_until=None,
        error="",
    )


def hash_of(text: str) -> str:
    """The SHA-256 of the text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def put_down(snapshot: Snapshot, error: FetchError, now: datetime | None = None) -> bool:
    """Queue it for another try after a pause, or give it up; False if it was taken from us in the meantime."""
    now = now or timezone.now()
    if error.temporary and snapshot.attempts < MAX_ATTEMPTS:
        pause = FIRST_PAUSE * LONGER ** (snapshot.attempts - 1)
        return _settle(snapshot, state=State.QUEUED, lease_until=now + pause, error=str(error))
    return _settle(snapshot, state=State.DEAD, fetched_at=now, lease_until=None, error=str(error))


def _settle(snapshot: Snapshot, **columns: object) -> bool:
    """Write what became of our attempt: the number of attempts tells ours from a later one."""
    ours = Snapshot.objects.filter(pk=snapshot.pk, state=State.FETCHING, attempts=snapshot.attempts)
    return bool(ours.update(**columns))
