"""Runs and their items."""

from collections.abc import Sequence
from typing import Any

from django.db import models, transaction
from django.db.models import Q

from annotate.models import Allowance, Dataset, Response
from evaluators.models.batch import RunBatch
from evaluators.models.evaluator import Evaluator
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from jobs.models import Job, JobItem, JobItemQuerySet, JobQuerySet
from knowledge.models import WebSearch
from llm.errors import BudgetSpentError
from llm.models import Call

ARCHIVED = "The run is archived: bring it back first."
RAN_ELSEWHERE = "It came with a results bundle: what it left can only be done where it ran."


class Run(Job):
    """An evaluator's pass over a dataset.

    `edits`: it is an editor's, and its results are corrected sentences in place of predictions.
    `manifest` says all that is needed to repeat it (evaluators/runs/manifest.py). `asking` counts how often the same
    questions had been put before on purpose: the answers of an earlier asking are not used. A run that is a
    `reading_of` another reads that one's answers by another protocol profile and asks no model. `taken_up_at`: when it
    was last begun or gone on with; `settled_before`: the items that were settled by then. `archived_at`: when it was
    put out of the list and the comparison, null where it stands in both. `batch`: the one that began it, with a budget
    of its own. `notice`: why nothing comes at the moment, while it is worked on (endpoint_watch.py). `searches`: those
    of the web whose results it was given, frozen by it or by an earlier run.
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
    # The states in which a run does not keep its evaluator's name from others.
    GIVEN_UP = (State.FAILED, State.CANCELLED)
    STOPPED = State.CANCELLED
    FINISHED = State.FINISHED
    TITLE = "run"

    evaluator = models.ForeignKey(Evaluator, on_delete=models.PROTECT, related_name="runs")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="runs")
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    manifest = models.JSONField(default=dict)
    edits = models.BooleanField(default=False, db_default=False)
    asking = models.PositiveSmallIntegerField(default=0)
    reading_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="readings")
    batch = models.ForeignKey(RunBatch, null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    notice = models.TextField(blank=True, default="", db_default="")
    started_at = models.DateTimeField(null=True, blank=True)
    taken_up_at = models.DateTimeField(null=True, blank=True)
    settled_before = models.PositiveIntegerField(default=0)
    last_prediction_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True, default="", db_default="")
    archived_at = models.DateTimeField(null=True, blank=True)
    searches = models.ManyToManyField(WebSearch, related_name="runs", blank=True)

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

    @classmethod
    def compared(cls, dataset: Dataset) -> JobQuerySet["Run"]:
        """The finished runs of evaluators that figures of the dataset are made of: none that is archived."""
        return cls.objects.finished().filter(dataset=dataset, edits=False, archived_at=None)

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        """None where it calls no model and searches nothing."""
        if not (self.evaluator.model or self.evaluator.parameters.get("search")) or self.reading_of_id is not None:
            return ()
        of_batch = [RunBatch.objects.filter(pk=self.batch_id)] if self.batch_id else []
        return (*of_batch, Allowance.objects.holding_for(self.dataset_id, self.created_by_id))

    def state_after(self, error: Exception) -> str:
        return self.State.OUT_OF_BUDGET if isinstance(error, BudgetSpentError) else self.State.FAILED

    def resume(self, limits: Limits = NO_LIMITS) -> bool:
        """Job.resume, of an active run too: its limits change, and what failed is tried again. False where nothing of
        it is left to do."""
        if "bundle" in self.manifest:
            raise StartError(RAN_ELSEWHERE)
        if self.archived_at is not None:
            raise StartError(ARCHIVED)
        self.check_limits(self.raised(limits), self.TITLE)
        with transaction.atomic():
            self.items.failed().update(error="")
            if not self.items.exclude(state=RunItem.State.DONE).exists():
                return False
            return super().resume(limits) or self._change_limits(self.raised(limits))

    def _change_limits(self, limits: Limits) -> bool:
        self.items.all().retry()
        return bool(Run.objects.filter(pk=self.pk).update(max_tokens=limits.tokens, max_cost_usd=limits.cost_usd))


class RunTag(models.Model):
    """A word that a person has put on a run, to find it again."""

    LONGEST = 40

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=LONGEST)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["run", "name"], name="run_tag_once"),
            models.CheckConstraint(condition=~Q(name=""), name="run_tag_named"),
        ]

    def __str__(self) -> str:
        return self.name


class RunItem(JobItem):
    """One response of a run. `skipped` counts the units left out, by reason; `calls` are the model's answers that were
    given for it, whatever came of them (runs of earlier versions have none noted)."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="run_items")
    position = models.PositiveIntegerField()
    skipped = models.JSONField(default=dict, blank=True)
    calls = models.ManyToManyField(Call, related_name="run_items", blank=True)

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
