"""Files of documents that come by the page: saved while their sender waits, checked and imported by a worker."""

from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile

from annotate.evidence.source import check_extends
from annotate.evidence.topics import topics_to_find
from annotate.models import Dataset, DocumentUpload, User
from jobs.enqueue import enqueue
from jobs.work import sweep_expired

# The number of settled uploads that are shown, the last ones.
SHOWN = 5


@dataclass(frozen=True)
class SentDocuments:
    """What the form of documents says; of `file` and `dump` the other is empty."""

    file: "UploadedFile[bytes] | None"
    dump: str
    name: str
    tokenizer: str
    topics_only: bool


def receive(user: User, dataset: Dataset, sent: SentDocuments) -> DocumentUpload:
    """Save the file and enqueue its import. DataError: the dataset may not write into the source, or has no topics;
    nothing is kept."""
    check_extends(dataset, sent.name)
    if sent.topics_only:
        topics_to_find(dataset)
    upload = DocumentUpload.objects.create(
        file=sent.file or "",
        file_name=(sent.dump or (sent.file and sent.file.name) or "")[-255:],
        dump=sent.dump,
        dataset=dataset,
        source_name=sent.name,
        tokenizer=sent.tokenizer,
        topics_only=sent.topics_only,
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
