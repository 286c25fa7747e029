"""A file that someone put on the import page: what was found in it, and how far its import is."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.corpus import Import
from annotate.models.dataset import Dataset


def folder_of_its_own(upload: "Upload", name: str) -> str:
    """The file keeps its name, by which messages call it, so it gets a folder to itself."""
    return f"imports/{uuid4().hex}/{name}"


class Upload(models.Model):
    """A saved file on its way from a page into a dataset.

    It was checked when it came (`found`: {"created", "unchanged", "warnings", "rows"}); once confirmed it is queued,
    and a Celery task imports it. `beat_at` is renewed as it goes on: one that stands still is queued again.
    """

    class State(models.TextChoices):
        CHECKED = "checked", "Waiting for your word"
        QUEUED = "queued", "Waiting for a worker"
        RUNNING = "running", "Being imported"
        FINISHED = "finished", "Imported"
        FAILED = "failed", "Not imported"

    WORKING = (State.QUEUED, State.RUNNING)

    file = models.FileField(upload_to=folder_of_its_own, max_length=500)
    file_name = models.CharField(max_length=255)
    dataset_name = models.CharField(max_length=100)
    format = models.CharField(max_length=20, choices=Import.Format.choices)
    subject = models.CharField(max_length=200, blank=True)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads")
    found = models.JSONField(default=dict)
    state = models.CharField(max_length=20, choices=State.choices, default=State.CHECKED)
    written = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    dataset = models.ForeignKey(Dataset, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads")
    created_at = models.DateTimeField(auto_now_add=True)
    beat_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["checked", "queued", "running", "finished", "failed"]), name="upload_state_known"
            ),
        ]
        indexes = [models.Index(fields=["state", "beat_at"], name="upload_waiting")]

    def __str__(self) -> str:
        return f"{self.file_name} into {self.dataset_name}"
