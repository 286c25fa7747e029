"""The fetching and freezing of cited pages, as a kind of work."""

from dataclasses import asdict
from datetime import timedelta

from django.conf import settings

from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease
from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import MEGABYTE, FetchLimits, fetch
from knowledge.fetching.page import hash_of
from knowledge.fetching.read import read
from knowledge.fetching.signals import page_frozen
from knowledge.models import Snapshot

# Before the second attempt; each further one waits so many times longer: 30 seconds, 2 and 8 minutes.
FIRST_PAUSE = timedelta(seconds=30)
LONGER = 4


class SnapshotJob(SyncJobKind[Snapshot]):
    """One page an item. The window is small, so that a long list of links does not fill the queue."""

    name = "snapshot"
    queue = Queue.SHORT
    items = Snapshot
    max_attempts = 4
    window = 20

    def execute(self, lease: Lease[Snapshot]) -> None:
        try:
            fetched = fetch(lease.item.url, limits())
            page = read(fetched, settings.SNAPSHOT_SECONDS)
        except FetchError as error:
            error.delay = FIRST_PAUSE * LONGER ** (lease.item.attempts - 1)
            raise
        if lease.finish(
            final_url=fetched.final_url,
            media_type=fetched.media_type,
            text_hash=hash_of(page.text),
            **asdict(page),
        ):
            page_frozen.send(Snapshot)


def limits() -> FetchLimits:
    return FetchLimits(settings.SNAPSHOT_SECONDS, int(settings.SNAPSHOT_LIMIT_MB * MEGABYTE), settings.SNAPSHOT_ALLOW)
