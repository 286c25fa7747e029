"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart.

What is to be done stands in the rows; a knock can be lost, or come twice.
"""

import logging
from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from annotate.leased.leases import free_expired
from annotate.models import Proposal

logger = logging.getLogger("touchstone.proposals")


def knock(dataset: int) -> bool:
    """Tell the workers that something waits in the dataset (its primary key); False where the queue is out of reach."""
    from annotate.proposals.tasks import work_on_proposals

    try:
        work_on_proposals.apply_async((dataset,), retry=False)
    except (ChannelError, OperationalError, OSError) as error:
        logger.warning("The queue cannot be reached, proposals of dataset %s wait for a sweep: %s", dataset, error)
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
