"""The knock on the workers' door. What is to be done stands in the database; a knock can be lost, or come twice."""

from django.utils import timezone

from annotate.leased.knocking import knock_for
from evaluators.models import Run


def knock(run: Run) -> bool:
    """Tell the workers of the run; False where the queue cannot be reached.

    The run is then still queued, and a worker that sweeps finds it (evaluators/runs/sweep.py).
    """
    from evaluators.runs.tasks import work_on_run

    if not knock_for(work_on_run, run.pk):
        return False
    Run.objects.filter(pk=run.pk).update(knocked_at=timezone.now())
    return True
