"""The fetching and freezing of cited pages, as a kind of work."""

from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease
from knowledge.fetching.freeze import ATTEMPTS, fetch_columns
from knowledge.fetching.signals import page_frozen
from knowledge.models import Snapshot


class SnapshotJob(SyncJobKind[Snapshot]):
    """One page an item. The window is small, so that a long list of links does not fill the queue."""

    name = "snapshot"
    queue = Queue.SHORT
    items = Snapshot
    max_attempts = ATTEMPTS
    window = 20

    def execute(self, lease: Lease[Snapshot]) -> None:
        if lease.finish(**fetch_columns(lease.item.url, lease.item.attempts)):
            page_frozen.send(Snapshot)
