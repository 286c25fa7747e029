"""Taking up a run that was cancelled, failed, or left gaps."""

from django.db import transaction

from evaluators.models import Run, RunItem
from evaluators.runs.build import RunError
from evaluators.runs.queue import knock
from jobs.errors import StartError
from jobs.limits import Limits


def resume_run(run: Run, limits: Limits | None = None) -> bool:
    """Queue what the run has not done, failed items anew; False where there is nothing left to do.

    Predictions that it has stay as they are. An active run is only queued again. `limits` take the place of the run's
    own. Raises RunError where what the run has spent leaves it no room under them, and where it ran elsewhere.
    """
    if "bundle" in run.manifest:
        raise RunError("It came with a results bundle: what it left can only be done where it ran.")
    limits = limits or Limits(run.max_tokens, run.max_cost_usd)
    try:
        run.check_limits(limits, "run")
    except StartError as error:
        raise RunError(str(error)) from None
    with transaction.atomic():
        Run.objects.filter(pk=run.pk).update(max_tokens=limits.tokens, max_cost_usd=limits.cost_usd)
        run.items.filter(state=RunItem.State.FAILED).update(state=RunItem.State.PENDING, attempts=0, error="")
        if not run.items.unsettled().exists():
            return False
        Run.objects.filter(pk=run.pk).exclude(state__in=Run.ACTIVE).update(
            state=Run.State.QUEUED, error="", finished_at=None
        )
    knock(run)
    return True
