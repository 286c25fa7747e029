"""The ends of a run. Each is one conditional update: whoever comes second changes nothing."""

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from evaluators.models import Run, RunItem
from evaluators.runs.progress import progress

NOTHING_DONE = "No response could be judged: {error}"


def finish_if_complete(run: Run) -> bool:
    """End the run if none of its items is left: finished, or failed where not a single one was done.

    A finished run may have failed items: they are gaps in its coverage, never filled in (docs/statistics.md, Error
    detection).
    """
    items = RunItem.objects.filter(run=OuterRef("pk"))
    complete = Run.objects.active().filter(~Exists(items.unsettled()), pk=run.pk)
    done = Exists(items.filter(state=RunItem.State.DONE))
    with transaction.atomic():
        if complete.filter(done).update(state=Run.State.FINISHED, error="", finished_at=timezone.now()):
            _note_outcome(run)
            return True
    failed = run.items.filter(state=RunItem.State.FAILED).first()
    if failed is None:
        return False
    sentence = NOTHING_DONE.format(error=failed.error)
    return bool(complete.filter(~done).update(state=Run.State.FAILED, error=sentence, finished_at=timezone.now()))


def _note_outcome(run: Run) -> None:
    """What the manifest says of a finished run: how much it judged, and what it did not judge as its method's name
    says, by reason."""
    now = progress(run)
    counts = {name: getattr(now, name) for name in ("predicted", "unparsed", "failed", "skipped", "fallbacks")}
    manifest = Run.objects.values_list("manifest", flat=True).get(pk=run.pk)
    Run.objects.filter(pk=run.pk).update(manifest={**manifest, "outcome": counts})


def fail_run(run: Run, sentence: str) -> bool:
    """End an active run because of what no other attempt can help; the predictions it has are kept."""
    return bool(
        Run.objects.active()
        .filter(pk=run.pk)
        .update(state=Run.State.FAILED, error=sentence, finished_at=timezone.now())
    )


def stop_out_of_budget(run: Run, sentence: str) -> bool:
    """Stop an active run before what it may spend is exceeded; `resume_run` with a higher limit takes it up again."""
    return bool(
        Run.objects.active()
        .filter(pk=run.pk)
        .update(state=Run.State.OUT_OF_BUDGET, error=sentence, finished_at=timezone.now())
    )
