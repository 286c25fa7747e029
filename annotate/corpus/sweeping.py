"""Taking back what an import wrote that did not finish."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from annotate.datasets.take_back import delete_import
from annotate.models import Import
from core.errors import DataError


class ImportUnderWayError(DataError):
    """Another import has the dataset."""

    def __init__(self, dataset_name: str) -> None:
        super().__init__(f"Another import into {dataset_name} is under way: wait until it has finished.")


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
    delete_import(unfinished)
