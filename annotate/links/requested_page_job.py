"""The fetch of the pages that annotators ask for, as a kind of work."""

from django.db import transaction

from annotate.models import RequestedPage
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease
from knowledge.fetching.freeze import ATTEMPTS, fetch_columns, snapshot_with


class RequestedPageJob(SyncJobKind[RequestedPage]):
    """One page an item."""

    name = "requested_page"
    queue = Queue.SHORT
    items = RequestedPage
    max_attempts = ATTEMPTS
    window = 20

    def execute(self, lease: Lease[RequestedPage]) -> None:
        url = lease.item.url
        columns = fetch_columns(url, lease.item.attempts)
        with transaction.atomic():
            if not lease.finish(snapshot=snapshot_with(url, columns)):
                transaction.set_rollback(True)
