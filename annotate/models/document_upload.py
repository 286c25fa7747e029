"""A file of documents that someone put on the page of a knowledge source, and how far its import is."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.dataset import Dataset


def folder_of_its_own(upload: "DocumentUpload", name: str) -> str:
    """The file keeps its name, by which messages call it, so it gets a folder to itself."""
    return f"documents/{uuid4().hex}/{name}"


class DocumentUpload(models.Model):
    """A saved file on its way into the source of that name, by which `dataset` is then judged.

    A Celery task imports it; `beat_at` is renewed as it goes on, and one that stands still is queued again. `written`
    of `total` documents are written (total 0: the file is still being checked); none is visible before all are.
    `created` and `unchanged` are what came of it.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting for a worker"
        RUNNING = "running", "Being imported"
        FINISHED = "finished", "Imported"
        FAILED = "failed", "Not imported"

    WORKING = (State.QUEUED, State.RUNNING)

    file = models.FileField(upload_to=folder_of_its_own, max_length=500)
    file_name = models.CharField(max_length=255)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="document_uploads")
    source_name = models.CharField(max_length=100)
    tokenizer = models.CharField(max_length=20)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="document_uploads")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    written = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    created = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    beat_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "finished", "failed"]), name="document_upload_state_known"
            ),
        ]
        indexes = [models.Index(fields=["state", "beat_at"], name="document_upload_waiting")]

    def __str__(self) -> str:
        return f"{self.file_name} into {self.source_name}"
