"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart.

What is to be done stands in the rows; a knock can be lost, or come twice.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from annotate.models import Proposal


def knock(dataset: int) -> bool:
    """Tell the workers that something waits in the dataset (its primary key); False where the queue is out of reach."""
    from annotate.proposals.tasks import work_on_proposals

    if not knock_for(work_on_proposals, dataset):
        return False
    Proposal.objects.waiting().filter(response__dataset=dataset).update(knocked_at=timezone.now())
    return True


def sweep() -> list[int]:
    """Free expired leases, and knock for the datasets in which something waits that nobody works on; their keys."""
    free_expired(Proposal.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    at_work = Proposal.objects.leased().filter(response__dataset=OuterRef("response__dataset"))
    heard = Proposal.objects.waiting().filter(response__dataset=OuterRef("response__dataset"), knocked_at__gte=patience)
    left = Proposal.objects.waiting().filter(Q(~Exists(at_work)), ~Exists(heard))
    datasets = left.order_by().values_list("response__dataset", flat=True).distinct()
    return [dataset for dataset in list(datasets) if knock(dataset)]
