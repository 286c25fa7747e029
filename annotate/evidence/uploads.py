"""Files of documents that come by the page: saved while their sender waits, checked and imported by a worker."""

from django.core.files.uploadedfile import UploadedFile

from annotate.evidence.source import check_extends
from annotate.models import Dataset, DocumentUpload, User
from jobs.enqueue import enqueue
from jobs.work import sweep_expired

# The number of settled uploads that are shown, the last ones.
SHOWN = 5


def receive(
    user: User, dataset: Dataset, file: "UploadedFile[bytes]", source_name: str, tokenizer: str
) -> DocumentUpload:
    """Save the file and enqueue its import. DataError: the dataset may not write into the source; nothing is kept."""
    check_extends(dataset, source_name)
    upload = DocumentUpload.objects.create(
        file=file,
        file_name=(file.name or "")[-255:],
        dataset=dataset,
        source_name=source_name,
        tokenizer=tokenizer,
        uploaded_by=user,
    )
    enqueue(upload)
    return upload


def uploads_of(dataset: Dataset) -> list[DocumentUpload]:
    """The dataset's latest, the last first."""
    return list(dataset.document_uploads.select_related("uploaded_by")[:SHOWN])


def try_again(dataset: Dataset) -> int:
    """Enqueue the dataset's uploads that nobody works on; how many there were."""
    uploads = DocumentUpload.objects.filter(dataset=dataset)
    sweep_expired(uploads)
    return len([enqueue(upload) for upload in uploads.due()])
