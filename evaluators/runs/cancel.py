"""Stopping a run that is no longer wanted."""

from django.utils import timezone

from evaluators.models import Run


def cancel_run(run: Run) -> bool:
    """Stop the run and keep what it has; False where it had already ended.

    Whoever works on it notices within a moment and gives back what it holds. `resume_run` takes it up again.
    """
    return bool(Run.objects.active().filter(pk=run.pk).update(state=Run.State.CANCELLED, finished_at=timezone.now()))
