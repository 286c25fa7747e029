"""The import of uploaded documents, as a kind of work."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction

from annotate.access import role_in
from annotate.evidence.import_file import ImportedDocuments, SourceUnderWayError, import_documents
from annotate.evidence.topics import topics_to_find
from annotate.models import Dataset, DocumentUpload, Role
from core.errors import DataError
from jobs.errors import PostponedError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease


class DocumentUploadJob(SyncJobKind[DocumentUpload]):
    """Imports a file into its source. Where another import has the source, it waits."""

    name = "document_upload"
    queue = Queue.SHORT
    items = DocumentUpload
    retried = False
    related = ("uploaded_by", "dataset")

    def execute(self, lease: Lease[DocumentUpload]) -> None:
        upload = lease.item
        try:
            imported = _import(lease)
        except SourceUnderWayError:
            raise PostponedError(timedelta(seconds=settings.RUN_LEASE_SECONDS)) from None
        except DataError as error:
            if lease.fail(str(error)):
                self.on_failure(upload)
        else:
            if _finish(lease, imported):
                upload.delete_file()

    def on_failure(self, item: DocumentUpload) -> None:
        item.delete_file()


def _import(lease: Lease[DocumentUpload]) -> ImportedDocuments:
    upload = lease.item
    if role_in(upload.uploaded_by, upload.dataset) != Role.ADJUDICATOR:
        raise DataError(f"You may no longer write into {upload.source_name}.")
    with upload.local_file() as path:
        return import_documents(
            path,
            upload.source_name,
            lambda written, total: lease.note(written=written, total=total),
            upload.tokenizer or None,
            upload.dataset,
            topics_to_find(upload.dataset) if upload.topics_only else None,
        )


@transaction.atomic
def _finish(lease: Lease[DocumentUpload], imported: ImportedDocuments) -> bool:
    """Let the dataset be judged by the source; False where another worker has taken the upload meanwhile."""
    finished = lease.finish(created=imported.created, unchanged=imported.unchanged)
    if finished:
        Dataset.objects.filter(pk=lease.item.dataset_id).update(knowledge_source=imported.source)
    return finished
