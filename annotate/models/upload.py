"""Files that people put on a page, and how far their import is."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models

from annotate.models.corpus import Import
from annotate.models.dataset import Dataset
from jobs.models import GroupedItem, JobItemQuerySet


def folder_of_its_own(upload: "Upload", name: str) -> str:
    """The file keeps its name for messages, so it gets a folder to itself."""
    return f"imports/{uuid4().hex}/{name}"


class FileUpload(GroupedItem):
    """A saved `file` that a worker imports, and that is deleted once it is settled. `written`: rows so far; none is
    visible before all are."""

    file: Any

    file_name = models.CharField(max_length=255)
    written = models.PositiveIntegerField(default=0)

    class Meta(GroupedItem.Meta):
        abstract = True

    @contextmanager
    def local_file(self) -> Iterator[Path]:
        """The file on this machine's disk, under its own name: from elsewhere it is copied for so long."""
        try:
            path = Path(self.file.path)
        except NotImplementedError:
            with TemporaryDirectory() as folder:
                path = Path(folder, Path(self.file.name).name)
                with self.file.open("rb") as stored, path.open("wb") as copy:
                    copyfileobj(stored, copy)
                yield path
        else:
            yield path

    def delete_file(self) -> None:
        """Delete the file and its folder, where they are still there."""
        name, storage = self.file.name, self.file.storage
        self.file.delete(save=False)
        with suppress(FileNotFoundError, NotImplementedError):  # a bucket has no folders
            Path(storage.path(name)).parent.rmdir()


class Upload(FileUpload):
    """A saved file on its way from a page into a dataset.

    It is checked when it comes (`preview`: {"created", "unchanged", "refused", "warnings", "rows"}), by a worker where
    it is large; one without a recipe that needs one is checked when it has got it. It is imported once its owner has
    confirmed it. `sentences`: the profile that cuts texts without segments.
    """

    file = models.FileField(upload_to=folder_of_its_own, max_length=500)
    dataset_name = models.CharField(max_length=100)
    format = models.CharField(max_length=20, choices=Import.Format.choices)
    recipe = models.JSONField(null=True, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    sentences = models.CharField(max_length=20, default="repaired", db_default="repaired")
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads")
    preview = models.JSONField(default=dict)
    to_check = models.BooleanField(default=False, db_default=False, help_text="A worker is to look it through.")
    confirmed_at = models.DateTimeField(null=True, blank=True)
    dataset = models.ForeignKey(Dataset, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads")
    imported = models.ForeignKey(
        Import, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads", help_text="What it made."
    )

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [*GroupedItem.Meta.constraints]
        indexes = [models.Index(fields=["state", "enqueued_at"], name="upload_waiting")]

    def __str__(self) -> str:
        return f"{self.file_name} into {self.dataset_name}"

    @property
    def share(self) -> float:
        """The share of the rows to write that are written, 0 to 1."""
        total = self.preview.get("created", 0)
        return self.written / total if total else 0.0

    @property
    def needs_recipe(self) -> bool:
        """Whether nobody has said yet what its fields are: it is not checked, and cannot be confirmed."""
        return self.format == Import.Format.MAPPED and self.recipe is None

    @property
    def is_checked(self) -> bool:
        """Whether its preview says what its import makes."""
        return "created" in self.preview

    def discard(self) -> None:
        """Forget the upload and its file."""
        self.delete_file()
        self.delete()
