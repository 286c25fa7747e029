"""An archived dataset is only read, until it is restored."""

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotate.models import Dataset
from audit.models import Action
from audit.record import record


@transaction.atomic
def archive(request: HttpRequest, dataset: Dataset) -> None:
    dataset.archived_at = timezone.now()
    dataset.save(update_fields=["archived_at"])
    record(request, Action.DATASET_ARCHIVED, dataset)


@transaction.atomic
def restore(request: HttpRequest, dataset: Dataset) -> None:
    dataset.archived_at = None
    dataset.save(update_fields=["archived_at"])
    record(request, Action.DATASET_RESTORED, dataset)
