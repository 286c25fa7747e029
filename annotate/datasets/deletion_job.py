"""The deletion of a dataset, or of an import, as a kind of work: a large one takes longer than a request."""

from datetime import timedelta

from annotate.datasets.contents import delete_contents, stop_work
from annotate.datasets.take_back import delete_import
from annotate.models import DatasetDeletion
from jobs.errors import PostponedError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease

# Until workers have let go of what they were doing in the dataset.
PAUSE = timedelta(seconds=5)


class DeletionJob(SyncJobKind[DatasetDeletion]):
    name = "dataset_deletion"
    queue = Queue.SHORT
    items = DatasetDeletion
    related = ("dataset", "imported__dataset")

    def execute(self, lease: Lease[DatasetDeletion]) -> None:
        dataset, imported = lease.item.dataset, lease.item.imported
        if imported is not None:
            delete_import(imported)
        elif dataset is not None:
            if not stop_work(dataset):
                raise PostponedError(PAUSE)
            delete_contents(dataset)
        lease.finish()
