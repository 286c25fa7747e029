"""What people do with a run that is there: rename, tag, note, archive, delete."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from core.errors import DataError
from evaluators.models import Evaluator, ExtractedClaim, Mistake, MistakeTag, Prediction, Run, RunTag, SentenceEdit
from evaluators.models.editing import EditRating
from evaluators.runs.build import RunError
from evaluators.runs.create import check_evaluator_name, find_or_make_evaluator

MOST_TAGS = 20
LONGEST_NOTE = 10_000


@transaction.atomic
def rename_run(run: Run, name: str) -> None:
    """Give the run's evaluator another name, in all its runs over this dataset; those over other datasets keep theirs.

    Raises RunError where the name is none, or that of an evaluator that differs or has runs over this dataset.
    """
    name = name.strip()
    check_evaluator_name(name)
    old = Evaluator.objects.select_for_update().get(pk=run.evaluator_id)
    if name == old.name:
        return
    new = find_or_make_evaluator(name, old.method, old.model, old.parameters)
    if new.runs.filter(dataset=run.dataset_id).exists():
        raise RunError(f"{run.dataset} has runs of {name!r} already: choose another name.")
    Run.objects.filter(evaluator=old, dataset=run.dataset_id).update(evaluator=new)
    run.evaluator = new
    _drop_without_runs(old)


def read_tags(text: str) -> list[str]:
    """The tags of a text that has commas between them, each once, in alphabetical order. Raises DataError."""
    return check_tags(text.split(","))


def check_tags(names: Iterable[str]) -> list[str]:
    """Each once and without surplus white space, in alphabetical order. Raises DataError."""
    tags = sorted({" ".join(name.split()) for name in names} - {""})
    if len(tags) > MOST_TAGS:
        raise DataError(f"{len(tags)} tags: a run has at most {MOST_TAGS}.")
    for tag in tags:
        if len(tag) > RunTag.LONGEST or "," in tag:
            raise DataError(f"The tag {tag[:40]!r}: a tag has at most {RunTag.LONGEST} characters, and no comma.")
    return tags


@transaction.atomic
def tag_run(run: Run, tags: Iterable[str]) -> None:
    """Let the run have these tags and no others. Raises DataError."""
    wanted = check_tags(tags)
    run.tags.exclude(name__in=wanted).delete()
    RunTag.objects.bulk_create([RunTag(run=run, name=name) for name in wanted], ignore_conflicts=True)


def note_run(run: Run, text: str) -> None:
    """Raises DataError."""
    if len(text) > LONGEST_NOTE:
        raise DataError(f"A note has at most {LONGEST_NOTE:,} characters.")
    run.note = text.strip()
    run.save(update_fields=["note"])


def archive_run(run: Run) -> None:
    """Put it out of the list and the comparison. Raises RunError while it is at work."""
    if run.is_active:
        raise RunError("The run is in progress: cancel it first.")
    run.archived_at = run.archived_at or timezone.now()
    run.save(update_fields=["archived_at"])


def restore_run(run: Run) -> None:
    """Put it back into the list and the comparison."""
    run.archived_at = None
    run.save(update_fields=["archived_at"])


def goes_with(run: Run) -> list[tuple[str, int]]:
    """The objects that are deleted with the run: their kinds, and their numbers above 0."""
    readings = Run.objects.filter(reading_of=run)
    mistakes = Mistake.objects.filter(sample__run=run)
    counts = [
        ("prediction", "predictions", Prediction.objects.filter(run=run)),
        ("extracted claim", "extracted claims", ExtractedClaim.objects.filter(run=run)),
        ("corrected sentence", "corrected sentences", SentenceEdit.objects.filter(run=run)),
        ("reading of its answers", "readings of its answers", readings),
        ("prediction of these", "predictions of these", Prediction.objects.filter(run__in=readings)),
        ("error analysis", "error analyses", run.error_analyses.all()),
        ("mistake in them", "mistakes in them", mistakes),
        ("tag that people gave these", "tags that people gave these", MistakeTag.objects.filter(item__in=mistakes)),
        ("sample of its edits", "samples of its edits", run.edit_samples.all()),
        ("rating of these edits", "ratings of these edits", EditRating.objects.filter(item__sample__run=run)),
    ]
    numbers = ((one, many, rows.count()) for one, many, rows in counts)
    return [(one if number == 1 else many, number) for one, many, number in numbers if number]


@transaction.atomic
def delete_run(run: Run) -> None:
    """Delete it with all that goes with it; its evaluator too where it has no other run. The answers of models stay in
    the cache. Raises RunError while it, or a reading of it, is at work."""
    if run.is_active or run.readings.active().exists():
        raise RunError("Not deleted: the run, or a reading of its answers, is in progress. Cancel it first.")
    evaluators = {run.evaluator, *(reading.evaluator for reading in run.readings.select_related("evaluator"))}
    run.delete()
    for evaluator in evaluators:
        _drop_without_runs(evaluator)


def _drop_without_runs(evaluator: Evaluator) -> None:
    if not evaluator.runs.exists():
        evaluator.delete()
