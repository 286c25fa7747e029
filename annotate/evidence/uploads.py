"""Files of documents that come by the page: saved while their sender waits, checked and imported by a worker."""

from pathlib import Path

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from annotate.evidence.import_file import SourceUnderWayError, import_documents
from annotate.evidence.source import may_extend
from annotate.leased.beats import beating, ending_for_good, queue_anew
from annotate.leased.knocking import knock_for
from annotate.models import Dataset, DocumentUpload, User
from core.errors import DataError

# Of those that are over the last so many are shown.
SHOWN = 5
State = DocumentUpload.State


def receive(
    user: User, dataset: Dataset, file: "UploadedFile[bytes]", source_name: str, tokenizer: str
) -> DocumentUpload:
    """Save the file and queue its import. DataError: the person may not write into the source; nothing is kept."""
    if not may_extend(user, source_name):
        raise DataError(
            f"{source_name} serves another dataset, which you do not adjudicate: give your source another name."
        )
    upload = DocumentUpload.objects.create(
        file=file,
        file_name=(file.name or "")[-255:],
        dataset=dataset,
        source_name=source_name,
        tokenizer=tokenizer,
        uploaded_by=user,
    )
    knock(upload.pk)
    return upload


def uploads_of(dataset: Dataset) -> list[DocumentUpload]:
    """The dataset's latest, the last first."""
    return list(dataset.document_uploads.select_related("uploaded_by")[:SHOWN])


def try_again(dataset: Dataset) -> int:
    """Queue anew what of the dataset's stands still; how many there were."""
    return queue_anew(dataset.document_uploads.all(), knock)


def sweep() -> int:
    """Queue anew what a lost worker or a lost knock left; how many there were. Done with every beat of a worker's
    heart."""
    return queue_anew(DocumentUpload.objects.all(), knock)


def knock(upload: int) -> None:
    """Tell the workers of the upload. The knock may be lost: the row says what is to be done."""
    from annotate.evidence.tasks import import_document_upload

    knock_for(import_document_upload, upload)


def work_on(pk: int) -> None:
    """Import the upload if it is queued; several who try at once leave it to one.

    Where another import has the source it waits in the queue. Raises OperationalError or InterfaceError where the
    database is out of reach or busy: the upload then stands still, and the sweep queues it anew.
    """
    taken = DocumentUpload.objects.filter(pk=pk, state=State.QUEUED)
    if not taken.update(state=State.RUNNING, beat_at=timezone.now()):
        return
    upload = DocumentUpload.objects.select_related("uploaded_by", "dataset").get(pk=pk)
    try:
        if not may_extend(upload.uploaded_by, upload.source_name):
            raise DataError(f"You may no longer write into {upload.source_name}.")
        with ending_for_good(f"The import of the upload {pk}"), beating(lambda: _beat(pk)):
            imported = import_documents(
                Path(upload.file.path),
                upload.source_name,
                lambda written, total: _beat(pk, written=written, total=total),
                upload.tokenizer or None,
            )
    except SourceUnderWayError:
        DocumentUpload.objects.filter(pk=pk, state=State.RUNNING).update(state=State.QUEUED, beat_at=timezone.now())
    except DataError as error:
        _settle(upload, State.FAILED, error=str(error))
    else:
        Dataset.objects.filter(pk=upload.dataset_id).update(knowledge_source=imported.source)
        _settle(upload, State.FINISHED, created=imported.created, unchanged=imported.unchanged)


def _beat(pk: int, **progress: int) -> None:
    DocumentUpload.objects.filter(pk=pk).update(**progress, beat_at=timezone.now())


def _settle(upload: DocumentUpload, state: str, error: str = "", created: int = 0, unchanged: int = 0) -> None:
    if DocumentUpload.objects.filter(pk=upload.pk, state=State.RUNNING).update(
        state=state, error=error, created=created, unchanged=unchanged, beat_at=timezone.now()
    ):
        path = Path(upload.file.path)
        upload.file.delete(save=False)
        path.parent.rmdir()
