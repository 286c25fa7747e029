"""Taking up a run that was cancelled, failed, or left gaps."""

from django.db import transaction

from evaluators.models import Run, RunItem
from evaluators.runs.queue import knock


def resume_run(run: Run) -> bool:
    """Queue what the run has not done, failed items anew; False where there is nothing left to do.

    Predictions that it has stay as they are. An active run is only queued again.
    """
    with transaction.atomic():
        run.items.filter(state=RunItem.State.FAILED).update(state=RunItem.State.PENDING, attempts=0, error="")
        if not run.items.unsettled().exists():
            return False
        Run.objects.filter(pk=run.pk).exclude(state__in=Run.ACTIVE).update(
            state=Run.State.QUEUED, error="", finished_at=None
        )
    knock(run)
    return True
