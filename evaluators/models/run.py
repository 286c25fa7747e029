"""Runs and their items."""

from typing import Any

from django.db import models, transaction
from django.db.models import Q

from annotate.models import Allowance, Dataset, Response
from evaluators.models.evaluator import Evaluator
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from jobs.models import Job, JobItem, JobItemQuerySet
from llm.errors import BudgetSpentError

RAN_ELSEWHERE = "It came with a results bundle: what it left can only be done where it ran."


class Run(Job):
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
    RESUMABLE = (State.FINISHED, State.FAILED, State.CANCELLED, State.OUT_OF_BUDGET)
    STOPPED = State.CANCELLED
    FINISHED = State.FINISHED
    TITLE = "run"

    evaluator = models.ForeignKey(Evaluator, on_delete=models.PROTECT, related_name="runs")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    manifest = models.JSONField(default=dict)
    asking = models.PositiveSmallIntegerField(default=0)
    reading_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="readings")
    started_at = models.DateTimeField(null=True, blank=True)
    taken_up_at = models.DateTimeField(null=True, blank=True)
    settled_before = models.PositiveIntegerField(default=0)
    last_prediction_at = models.DateTimeField(null=True, blank=True)

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

    def shared_budgets(self) -> models.QuerySet[Any] | None:
        """None where it calls no model."""
        if not self.evaluator.model or self.reading_of_id is not None:
            return None
        return Allowance.objects.holding_for(self.dataset_id, self.created_by_id)

    def state_after(self, error: Exception) -> str:
        return self.State.OUT_OF_BUDGET if isinstance(error, BudgetSpentError) else self.State.FAILED

    def resume(self, limits: Limits = NO_LIMITS) -> bool:
        """Job.resume, of an active run too: its limits change, and what failed is tried again. False where nothing of
        it is left to do."""
        if "bundle" in self.manifest:
            raise StartError(RAN_ELSEWHERE)
        self.check_limits(self.raised(limits), self.TITLE)
        with transaction.atomic():
            self.items.failed().update(error="")
            if not self.items.exclude(state=RunItem.State.DONE).exists():
                return False
            return super().resume(limits) or self._change_limits(self.raised(limits))

    def _change_limits(self, limits: Limits) -> bool:
        self.items.all().retry()
        return bool(Run.objects.filter(pk=self.pk).update(max_tokens=limits.tokens, max_cost_usd=limits.cost_usd))


class RunItem(JobItem):
    """One response of a run. `skipped` counts the units left out, by reason."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="run_items")
    position = models.PositiveIntegerField()
    skipped = models.JSONField(default=dict, blank=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            *JobItem.Meta.constraints,
            models.UniqueConstraint(fields=["run", "response"], name="run_item_response_once"),
        ]
        indexes = [
            models.Index(fields=["run", "state", "attempts"], name="run_item_queue"),
            models.Index(fields=["lease_until"], condition=Q(state="leased"), name="run_item_expiring"),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.response.index}"
