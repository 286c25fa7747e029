"""Taking back what an import wrote that did not finish, in short transactions."""

from datetime import timedelta

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from annotate.models import Dataset, Import, Prompt, SourcePassage
from core.errors import DataError


class ImportUnderWayError(DataError):
    """Another import has the dataset."""

    def __init__(self, dataset_name: str) -> None:
        super().__init__(f"Another import into {dataset_name} is under way: wait until it has finished.")


# Rows deleted in one transaction: it blocks other writers of SQLite for some tenths of a second.
CHUNK = 200


def sweep_leftovers(dataset_name: str) -> None:
    """Clear what a killed import left in the dataset. ImportUnderWayError if the import still lives."""
    unfinished = Import.objects.filter(dataset__name=dataset_name, finished_at__isnull=True).first()
    if unfinished is None:
        return
    stale = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    # Compared and changed in one statement: of several that find it dead, one takes it.
    mine = Import.objects.filter(pk=unfinished.pk, beat_at=unfinished.beat_at, beat_at__lt=stale).update(
        abandoned=True, beat_at=timezone.now()
    )
    if not mine:
        raise ImportUnderWayError(dataset_name)
    undo(unfinished)


def undo(imported: Import) -> None:
    """Delete the import with all it wrote, and the dataset if the import was to make it."""
    dataset = imported.dataset
    _delete_in_chunks(imported.responses.all())
    _delete_in_chunks(Prompt.objects.filter(dataset=dataset, responses__isnull=True))
    _delete_in_chunks(SourcePassage.objects.filter(dataset=dataset, claims__isnull=True))
    with transaction.atomic():
        imported.delete()
        Dataset.objects.filter(pk=dataset.pk, ready=False).delete()


def _delete_in_chunks(rows: "models.QuerySet[models.Model]") -> None:
    last = 0  # rows that stay are not looked through again
    while keys := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        last = keys[-1]
        with transaction.atomic():
            rows.model._default_manager.filter(pk__in=keys).delete()
