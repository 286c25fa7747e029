"""Celery's side of proposals."""

from celery import shared_task

from annotate.models import Proposal
from annotate.proposals.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_proposals(dataset: int) -> None:
    """Ask for what waits in the dataset (its primary key), unless somebody does already.

    Two knocks that come at the same moment may both start: leases keep their proposals apart.
    """
    if not Proposal.objects.leased().filter(response__dataset=dataset).exists():
        work_on(dataset)
