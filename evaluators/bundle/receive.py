"""Results bundles that come by the API: checked as they come, imported by a worker."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.files.uploadedfile import UploadedFile

from annotate.models import Dataset, User
from evaluators.bundle.take_in import check_bundle
from evaluators.models import ResultsUpload
from jobs.enqueue import enqueue


@contextmanager
def checked_bundle(
    user: User, dataset: Dataset, file: "UploadedFile[bytes]", suffix: str, other_gold: bool
) -> Iterator[ResultsUpload]:
    """The bundle in storage, checked against the dataset, and no row yet: a check may take a minute. The file goes
    again unless the block keeps the upload. Raises DataError with the fault of the file."""
    upload = ResultsUpload(
        file_name=(file.name or "")[-255:], dataset=dataset, suffix=suffix, other_gold=other_gold, uploaded_by=user
    )
    upload.file.save(file.name or "results.zip", file, save=False)
    try:
        with upload.local_file() as path:
            check_bundle(dataset, path, other_gold)
        yield upload
    finally:
        if upload.pk is None:
            upload.delete_file()


def keep_bundle(upload: ResultsUpload) -> None:
    """Let a checked bundle be imported."""
    upload.save()
    enqueue(upload)
