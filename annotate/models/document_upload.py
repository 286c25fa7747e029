"""A file of documents that someone put on the page of a knowledge source, and how far its import is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import models

from annotate.models.dataset import Dataset
from annotate.models.upload import FileUpload
from jobs.models import GroupedItem, JobItemQuerySet


def folder_of_its_own(upload: "DocumentUpload", name: str) -> str:
    """The file keeps its name for messages, so it gets a folder to itself."""
    return f"documents/{uuid4().hex}/{name}"


def dumps_folder() -> Path:
    """Where who runs the server puts dumps that are too large for a page."""
    return Path(settings.DATA_DIR) / "dumps"


class DocumentUpload(FileUpload):
    """A saved file on its way into the source of that name, which `dataset` then uses.

    `written` of `total` documents are written (total 0: the file is still being checked). `created` and `unchanged` are
    the numbers of documents that were new and that were there already. `topics_only`: only the pages of the dataset's
    topics are taken. `dump` names a file of the server that is read where it lies; `file` is empty then.
    """

    file = models.FileField(upload_to=folder_of_its_own, max_length=500)
    dump = models.CharField(max_length=200, blank=True, default="", db_default="")
    topics_only = models.BooleanField(default=False, db_default=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="document_uploads")
    source_name = models.CharField(max_length=100)
    tokenizer = models.CharField(max_length=20)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="document_uploads")
    total = models.PositiveIntegerField(default=0)
    created = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [*GroupedItem.Meta.constraints]
        indexes = [models.Index(fields=["state", "enqueued_at"], name="document_upload_waiting")]

    @contextmanager
    def local_file(self) -> Iterator[Path]:
        if self.dump:
            yield dumps_folder() / self.dump
        else:
            with super().local_file() as path:
                yield path

    def delete_file(self) -> None:
        """A dump stays: others read it too."""
        if not self.dump:
            super().delete_file()

    def __str__(self) -> str:
        return f"{self.file_name} into {self.source_name}"
