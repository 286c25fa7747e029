"""The import of a results bundle that was sent, as a kind of work."""

from typing import Any

from annotate.access import role_in
from annotate.models import Role
from core.errors import DataError
from evaluators.bundle.take_in import TakenIn, import_results
from evaluators.models import ResultsUpload
from evaluators.runs.build import RunError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease


class ResultsUploadJob(SyncJobKind[ResultsUpload]):
    """Imports the runs of a bundle: all or none. One that is killed imports the same runs once."""

    name = "results_upload"
    queue = Queue.SHORT
    items = ResultsUpload
    retried = False
    related = ("uploaded_by", "dataset")

    def execute(self, lease: Lease[ResultsUpload]) -> None:
        upload = lease.item
        try:
            taken = _import(upload)
        except (DataError, RunError) as error:
            if lease.fail(str(error)):
                self.on_failure(upload)
        else:
            if lease.finish(written=len(taken.runs), report=_report(taken)):
                upload.delete_file()

    def on_failure(self, item: ResultsUpload) -> None:
        item.delete_file()


def _import(upload: ResultsUpload) -> TakenIn:
    if role_in(upload.uploaded_by, upload.dataset) not in (Role.RESEARCHER, Role.ADJUDICATOR):
        raise DataError(f"You may no longer import results into {upload.dataset}.")
    with upload.local_file() as path:
        return import_results(upload.dataset, path, upload.suffix, upload.other_gold)


def _report(taken: TakenIn) -> dict[str, Any]:
    return {
        "runs": [run.pk for run in taken.runs],
        "unchanged": taken.unchanged,
        "other_gold": taken.other_gold,
        "differences": taken.differences,
    }
