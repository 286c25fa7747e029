"""A page fetched now, as columns of a snapshot, and the snapshot that has them."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import MEGABYTE, FetchLimits, fetch
from knowledge.fetching.page import hash_of
from knowledge.fetching.read import read
from knowledge.models import Snapshot

ATTEMPTS = 4
# Before the second attempt; each further one waits so many times longer: 30 seconds, 2 and 8 minutes.
FIRST_PAUSE = timedelta(seconds=30)
LONGER = 4


def fetch_columns(url: str, attempts: int) -> dict[str, Any]:
    """The columns of a snapshot of the page as it is now. `attempts`: so many with this one.

    FetchError says why there is no page, with the pause before another attempt.
    """
    try:
        fetched = fetch(url, limits())
        page = read(fetched, settings.SNAPSHOT_SECONDS)
    except FetchError as error:
        error.delay = FIRST_PAUSE * LONGER ** (attempts - 1)
        raise
    return {
        "final_url": fetched.final_url,
        "media_type": fetched.media_type,
        "text_hash": hash_of(page.text),
        **asdict(page),
    }


def snapshot_with(url: str, columns: dict[str, Any]) -> Snapshot:
    """A frozen snapshot of the address with these columns: an earlier one that is equal in all of them, else a new
    one. No text is stored twice."""
    equal = {name: value for name, value in columns.items() if name != "text"}
    frozen = Snapshot.objects.done().defer("text").filter(url=url, **equal).order_by("pk").first()
    if frozen is not None:
        return frozen
    return Snapshot.objects.create(url=url, state=Snapshot.State.DONE, settled_at=timezone.now(), **columns)


def limits() -> FetchLimits:
    return FetchLimits(settings.SNAPSHOT_SECONDS, int(settings.SNAPSHOT_LIMIT_MB * MEGABYTE), settings.SNAPSHOT_ALLOW)
