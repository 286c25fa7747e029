"""A frozen version of gold on its way into a file that others can load."""

from django.conf import settings
from django.db import models

from annotate.models.gold import GoldVersion
from jobs.models import GroupedItem, JobItemQuerySet


class Release(GroupedItem):
    """One gold version as a dataset in one file (annotate/release/).

    A worker makes the file; `written` of `total` responses are written. The same version under the same licence, with
    or without names and known answers, is made once.
    """

    version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, related_name="releases")
    licence = models.CharField(max_length=100, blank=True)
    names = models.BooleanField(default=False, help_text="Whether it names those who annotated and decided.")
    known = models.BooleanField(
        default=False, db_default=False, help_text="Whether it holds what qualification and controls ask."
    )
    written = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    file = models.FileField(upload_to="releases", max_length=500, blank=True)
    hash = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *GroupedItem.Meta.constraints,
            models.UniqueConstraint(fields=["version", "licence", "names", "known"], name="release_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version}, released"

    @property
    def is_gone(self) -> bool:
        """Whether the file was made, and is no longer where it was kept."""
        name = self.file.name
        return self.state == self.State.DONE and not (name and self.file.storage.exists(name))
