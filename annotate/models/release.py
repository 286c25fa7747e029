"""A frozen version of gold on its way into a file that others can load."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.gold import GoldVersion


class Release(models.Model):
    """One gold version as a data set in one file (annotate/release/).

    It is queued as it is asked for, and a Celery task makes the file; `beat_at` is renewed as it goes on, and one that
    stands still is queued again. `written` of `total` responses are written. The same version under the same licence,
    with or without names, gives the same bytes, so it is made once.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting for a worker"
        RUNNING = "running", "Being made"
        FINISHED = "finished", "Ready"
        FAILED = "failed", "Not made"

    WORKING = (State.QUEUED, State.RUNNING)

    version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, related_name="releases")
    licence = models.CharField(max_length=100, blank=True)
    names = models.BooleanField(default=False, help_text="Whether it names those who annotated and decided.")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    written = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    file = models.FileField(upload_to="releases", max_length=500, blank=True)
    hash = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    beat_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["version", "licence", "names"], name="release_once"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "finished", "failed"]), name="release_state_known"
            ),
        ]
        indexes = [models.Index(fields=["state", "beat_at"], name="release_waiting")]

    def __str__(self) -> str:
        return f"{self.version}, released"
