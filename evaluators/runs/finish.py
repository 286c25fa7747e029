"""The ends of a run. Each is one conditional update: whoever comes second changes nothing."""

from django.db.models import Exists, OuterRef
from django.utils import timezone

from evaluators.models import Run, RunItem

NOTHING_DONE = "No response could be judged: {error}"


def finish_if_complete(run: Run) -> bool:
    """End the run if none of its items is left: finished, or failed where not a single one was done.

    A finished run may have failed items: they are gaps in its coverage, never filled in (definitions.md §2).
    """
    items = RunItem.objects.filter(run=OuterRef("pk"))
    complete = Run.objects.active().filter(~Exists(items.unsettled()), pk=run.pk)
    done = Exists(items.filter(state=RunItem.State.DONE))
    if complete.filter(done).update(state=Run.State.FINISHED, error="", finished_at=timezone.now()):
        return True
    failed = run.items.filter(state=RunItem.State.FAILED).first()
    if failed is None:
        return False
    sentence = NOTHING_DONE.format(error=failed.error)
    return bool(complete.filter(~done).update(state=Run.State.FAILED, error=sentence, finished_at=timezone.now()))


def fail_run(run: Run, sentence: str) -> bool:
    """End an active run because of what no other attempt can help; the predictions it has are kept."""
    return bool(
        Run.objects.active()
        .filter(pk=run.pk)
        .update(state=Run.State.FAILED, error=sentence, finished_at=timezone.now())
    )
