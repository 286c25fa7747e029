"""A dataset disappears for everybody at once, and a worker deletes its rows."""

from django.db import transaction
from django.http import HttpRequest

from annotate.datasets.contents import goes_with
from annotate.models import Dataset, DatasetDeletion, User
from audit.models import Action
from audit.record import record
from jobs.enqueue import enqueue


def begin_deletion(request: HttpRequest, dataset: Dataset, requested_by: User) -> DatasetDeletion:
    """Hide the dataset from everybody and let a worker delete it. Its name is free from now on. The audit log has the
    numbers of what goes with it."""
    counts = ", ".join(f"{number} {what}" for what, number in goes_with(dataset))
    with transaction.atomic():
        record(request, Action.DELETED, dataset, detail=counts)
        deletion = DatasetDeletion.objects.create(dataset=dataset, name=dataset.name, requested_by=requested_by)
        Dataset.objects.filter(pk=dataset.pk).update(ready=False, name=f"{dataset.name[:70]} (deletion {deletion.pk})")
    enqueue(deletion)
    return deletion
