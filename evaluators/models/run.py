"""Runs, their items, and the workers that do them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, Response
from evaluators.models.evaluator import Evaluator


class Run(models.Model):
    """An evaluator's pass over a dataset.

    `manifest` says all that is needed to repeat it (evaluators/runs/manifest.py).
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    ACTIVE = (State.QUEUED, State.RUNNING)

    evaluator = models.ForeignKey(Evaluator, on_delete=models.PROTECT, related_name="runs")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    manifest = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    last_prediction_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "finished", "failed", "cancelled"]), name="run_state_known"
            ),
        ]
        indexes = [models.Index(fields=["dataset", "state"], name="run_of_dataset")]

    def __str__(self) -> str:
        return f"{self.evaluator} on {self.dataset}"


class RunItem(models.Model):
    """One response of a run. A worker leases it, and only the holder of a lease in force may write its predictions."""

    class State(models.TextChoices):
        PENDING = "pending", "Pending"
        LEASED = "leased", "In work"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="run_items")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.PENDING)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "response"], name="run_item_response_once"),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "leased", "done", "failed"]), name="run_item_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="leased", lease_until__isnull=False) & ~Q(lease_owner="") | ~Q(state="leased"),
                name="run_item_leased_has_owner",
            ),
        ]
        indexes = [models.Index(fields=["run", "state", "position"], name="run_item_queue")]

    def __str__(self) -> str:
        return f"{self.run}: {self.response.index}"


class Worker(models.Model):
    """A Celery worker's heartbeat; one whose beat is old is gone."""

    name = models.CharField(max_length=200, unique=True)
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
