"""Taking up a run that was cancelled, failed, or left gaps."""

from django.db import transaction

from evaluators.models import Run, RunItem
from evaluators.runs.build import RunError
from evaluators.runs.create import Limits
from evaluators.runs.queue import knock


def resume_run(run: Run, limits: Limits | None = None) -> bool:
    """Queue what the run has not done, failed items anew; False where there is nothing left to do.

    Predictions that it has stay as they are. An active run is only queued again. `limits` take the place of the run's
    own. Raises RunError where what the run has spent leaves it no room under them.
    """
    limits = limits or Limits(run.max_tokens, run.max_cost_usd)
    _check_room(run, limits)
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


def raised(run: Run, limits: Limits) -> Limits:
    """The run's limits with those in place of its own that are given."""
    return Limits(limits.tokens or run.max_tokens, limits.cost_usd or run.max_cost_usd)


def _check_room(run: Run, limits: Limits) -> None:
    if limits.tokens is not None and run.spent_tokens >= limits.tokens:
        raise RunError(f"The run has spent {run.spent_tokens:,} tokens: raise its limit of {limits.tokens:,} first.")
    if limits.cost_usd is not None and run.spent_usd >= limits.cost_usd:
        raise RunError(f"The run has spent ${run.spent_usd:f}: raise its limit of ${limits.cost_usd:f} first.")
