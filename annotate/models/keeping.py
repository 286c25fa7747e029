"""Files that people ask for of their own data, and the daily deletion of what is too old."""

from uuid import uuid4

from django.conf import settings
from django.db import models

from jobs.models import GroupedItem, JobItemQuerySet


def unguessable_name(export: "PersonalExport", name: str) -> str:
    return f"personal/{uuid4().hex}.zip"


class PersonalExport(GroupedItem):
    """All that the site knows of a person, in one file for that person alone (annotate/personal_data/).

    A worker makes the file; `written` of `total` rows are written. The next one takes its place, and it is deleted
    after OWN_DATA_DAYS.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="personal_export")
    written = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    file = models.FileField(upload_to=unguessable_name, max_length=500, blank=True)
    size = models.PositiveBigIntegerField(default=0)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        constraints = [*GroupedItem.Meta.constraints]

    def __str__(self) -> str:
        return f"the data of {self.person}"

    @property
    def share(self) -> float:
        """The share of the rows that are written, 0 to 1."""
        return self.written / self.total if self.total else 0.0


class Pruning(GroupedItem):
    """One day's deletion of what is too old and not cited (annotate/retention/)."""

    day = models.DateField(unique=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        constraints = [*GroupedItem.Meta.constraints]

    def __str__(self) -> str:
        return f"deletion of old texts, {self.day}"
