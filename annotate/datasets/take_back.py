"""An import disappears for everybody at once, as long as nobody has worked on it, and a worker deletes its rows."""

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest

from annotate.datasets.contents import delete_in_chunks
from annotate.models import (
    Assignment,
    Dataset,
    DatasetDeletion,
    GoldCount,
    Import,
    Prompt,
    Removal,
    Response,
    SourcePassage,
    Task,
    User,
)
from audit.models import Action
from audit.record import record
from core.errors import DataError
from jobs.enqueue import enqueue

# Paths from a response to what people made of it.
OF_PEOPLE = (
    "segments__labels",
    "segments__edits",
    "segments__adjudications",
    "segments__challenges",
    "segments__look_items",
    "response_labels",
    "signatures",
    "samples",
)
# And to what runs made.
OF_RUNS = ("run_items", "extracted_claims", "segments__predictions", "segments__sentence_edits")


def why_not(imported: Import) -> str:
    """Why the import cannot be taken back, "" where it can."""
    responses = imported.responses.all()
    version = imported.dataset.gold_versions.filter(created_at__gte=imported.finished_at).order_by("created_at").first()
    begun = Assignment.objects.filter(Q(submitted_at__isnull=False) | ~Q(draft={}), task__responses__imported=imported)
    if any(responses.filter(**{f"{path}__isnull": False}).exists() for path in OF_PEOPLE) or begun.exists():
        return "It is labelled."
    if any(responses.filter(**{f"{path}__isnull": False}).exists() for path in OF_RUNS):
        return "A run has judged it."
    if version is not None:
        return f"The gold version {version.name} was frozen with it."
    return ""


def take_back(request: HttpRequest, imported: Import, requested_by: User) -> DatasetDeletion:
    """Hide the import and let a worker delete what it made. Raises DataError where that cannot be."""
    dataset = imported.dataset
    try:
        with transaction.atomic():
            Dataset.objects.select_for_update().get(pk=dataset.pk)
            if reason := why_not(imported):
                raise DataError(f"The import cannot be taken back. {reason}")
            # Nobody sees what an unfinished import wrote. Were the worker lost, the next import would sweep it.
            Import.objects.filter(pk=imported.pk).update(finished_at=None, abandoned=True)
            GoldCount.objects.filter(dataset=dataset).delete()
            dataset.next_gold_revision()
            detail = f"{imported.file_name}: {imported.created} responses"
            record(request, Action.IMPORT_TAKEN_BACK, dataset, detail=detail)
            deletion = DatasetDeletion.objects.create(
                imported=imported, name=imported.file_name[:100], requested_by=requested_by
            )
    except IntegrityError:
        raise DataError(f"An import into {dataset} is under way: wait until it has finished.") from None
    enqueue(deletion)
    return deletion


def delete_import(imported: Import) -> None:
    """Delete the import with all it wrote, and the dataset if the import was to make it."""
    dataset = imported.dataset
    tasks = Task.objects.filter(responses__imported=imported).exclude(
        pk__in=Response.objects.filter(dataset=dataset).exclude(imported=imported).values("task").exclude(task=None)
    )
    delete_in_chunks(tasks.distinct())
    delete_in_chunks(Removal.objects.filter(response__imported=imported))
    delete_in_chunks(imported.responses.all())
    delete_in_chunks(Prompt.objects.filter(dataset=dataset, responses__isnull=True))
    delete_in_chunks(SourcePassage.objects.filter(dataset=dataset, claims__isnull=True))
    with transaction.atomic():
        imported.delete()
        Dataset.objects.filter(pk=dataset.pk, ready=False).delete()
