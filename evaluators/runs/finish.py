"""The end of a run."""

from django.db import transaction

from evaluators.models import Run
from evaluators.runs.progress import progress_of
from jobs.errors import JobError

NOTHING_DONE = "No response could be judged: {error}"


def finish_run(run: Run) -> bool:
    """Finish a run of which every item is settled; False where it was not active. Raises JobError where not a single
    item was done.

    A finished run may have failed items: they are gaps in its coverage, never filled in (docs/statistics.md, Error
    detection).
    """
    if not run.items.done().exists():
        raise JobError(NOTHING_DONE.format(error=run.items.failed()[0].error))
    with transaction.atomic():
        if not run.finish():
            return False
        _note_outcome(run)
    return True


def _note_outcome(run: Run) -> None:
    """What the manifest says of a finished run: how much it judged, and what it did not judge as its method's name
    says, by reason."""
    now = progress_of(run)
    counts = {name: getattr(now, name) for name in ("predicted", "unparsed", "failed", "skipped", "fallbacks")}
    run.manifest = {**run.manifest, "outcome": counts}
    run.save(update_fields=["manifest"])
