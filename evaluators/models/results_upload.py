"""A results bundle that somebody sent, and how far its import is."""

from uuid import uuid4

from django.conf import settings
from django.db import models

from annotate.models import Dataset
from annotate.models.upload import FileUpload
from jobs.models import GroupedItem, JobItemQuerySet


def folder_of_its_own(upload: "ResultsUpload", name: str) -> str:
    """The file keeps its name for messages, so it gets a folder to itself."""
    return f"results/{uuid4().hex}/{name}"


class ResultsUpload(FileUpload):
    """A saved bundle on its way into its dataset. It was checked when it came. `written`: runs that it made.

    `suffix` and `other_gold` are as of `import_results`. `report`: {"runs": the keys of the runs that were made,
    "unchanged", "other_gold", "differences"}, null before the import is done.
    """

    file = models.FileField(upload_to=folder_of_its_own, max_length=500)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="results_uploads")
    suffix = models.CharField(max_length=50, blank=True)
    other_gold = models.BooleanField(default=False)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="results_uploads")
    report = models.JSONField(null=True, blank=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [*GroupedItem.Meta.constraints]
        indexes = [models.Index(fields=["state", "enqueued_at"], name="results_upload_waiting")]

    def __str__(self) -> str:
        return f"{self.file_name} into {self.dataset}"
