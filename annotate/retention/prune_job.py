"""The daily deletion of what is too old, as a kind of work."""

from django.utils import timezone

from annotate.models import Pruning
from annotate.retention.prune import plan, prune
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease


class PruneJob(SyncJobKind[Pruning]):
    name = "prune"
    queue = Queue.LONG
    items = Pruning

    def plan(self) -> None:
        plan(timezone.localdate())

    def execute(self, lease: Lease[Pruning]) -> None:
        prune()
        lease.finish()
