"""Runs and their items."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, Response
from evaluators.models.evaluator import Evaluator
from jobs.models import Budgeted


class RunQuerySet(models.QuerySet["Run"]):
    def active(self) -> "RunQuerySet":
        """Those that are to be worked on."""
        return self.filter(state__in=Run.ACTIVE)

    def finished(self) -> "RunQuerySet":
        return self.filter(state=Run.State.FINISHED)


class Run(Budgeted):
    """An evaluator's pass over a dataset.

    `manifest` says all that is needed to repeat it (evaluators/runs/manifest.py). `asking` counts how often the same
    questions had been put before on purpose: the answers of an earlier asking are not used. A run that is a
    `reading_of` another reads that one's answers by another protocol profile and asks no model. `taken_up_at`: when it
    was last begun or gone on with; `settled_before`: the items that were settled by then.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"
        OUT_OF_BUDGET = "out_of_budget", "Out of budget"

    ACTIVE = (State.QUEUED, State.RUNNING)

    evaluator = models.ForeignKey(Evaluator, on_delete=models.PROTECT, related_name="runs")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    manifest = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    asking = models.PositiveSmallIntegerField(default=0)
    reading_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="readings")
    knocked_at = models.DateTimeField(null=True, blank=True, help_text="When the queue was last told of it.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    taken_up_at = models.DateTimeField(null=True, blank=True)
    settled_before = models.PositiveIntegerField(default=0)
    last_prediction_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "finished", "failed", "cancelled", "out_of_budget"]),
                name="run_state_known",
            ),
        ]
        indexes = [models.Index(fields=["dataset", "state"], name="run_of_dataset")]

    def __str__(self) -> str:
        return f"{self.evaluator} on {self.dataset}"


class RunItemQuerySet(models.QuerySet["RunItem"]):
    def pending(self) -> "RunItemQuerySet":
        return self.filter(state=RunItem.State.PENDING)

    def leased(self) -> "RunItemQuerySet":
        return self.filter(state=RunItem.State.LEASED)

    def held_by(self, owner: str) -> "RunItemQuerySet":
        return self.leased().filter(lease_owner=owner)

    def unsettled(self) -> "RunItemQuerySet":
        """Those that still have to be worked on, whoever holds them."""
        return self.filter(state__in=[RunItem.State.PENDING, RunItem.State.LEASED])

    def settled(self) -> "RunItemQuerySet":
        return self.filter(state__in=[RunItem.State.DONE, RunItem.State.FAILED])

    def free(self) -> int:
        """Put leased items back among the pending ones; how many there were."""
        return self.leased().update(state=RunItem.State.PENDING, lease_owner="", lease_until=None)


class RunItem(models.Model):
    """One response of a run. A worker leases it, and only the holder of the lease may write its predictions.

    `attempts` counts failures, not losses of a worker; `skipped` counts the units left out, by reason.
    """

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
    skipped = models.JSONField(default=dict, blank=True)

    objects = RunItemQuerySet.as_manager()

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
        indexes = [
            models.Index(fields=["run", "state", "attempts", "position"], name="run_item_queue"),
            models.Index(fields=["lease_until"], condition=Q(state="leased"), name="run_item_expiring"),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.response.index}"
