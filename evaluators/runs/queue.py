"""The knock on the workers' door. What is to be done stands in the database; a knock can be lost, or come twice."""

import logging

from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError

from evaluators.models import Run

logger = logging.getLogger("touchstone.runs")


def knock(run: Run) -> bool:
    """Tell the workers of the run; False where the queue cannot be reached.

    The run is then still queued, and a worker that sweeps finds it (evaluators/runs/sweep.py).
    """
    from evaluators.runs.tasks import work_on_run

    try:
        work_on_run.apply_async((run.pk,), retry=False)
    except (ChannelError, OperationalError, OSError) as error:
        logger.warning("The queue cannot be reached, run %s waits for a worker's sweep: %s", run.pk, error)
        return False
    Run.objects.filter(pk=run.pk).update(knocked_at=timezone.now())
    return True
