"""Runs that are started together, to be compared."""

from django.conf import settings
from django.db import models

from annotate.models import Dataset
from jobs.limits import Limits
from jobs.models import Budgeted


class RunBatch(Budgeted):
    """One method with several models, or several methods with one model, over a dataset. Its limits hold for all its
    runs together.

    `runs`: those that it began (Run.batch). `known_runs`: those that were there before and are compared with them; what
    they spend does not count here.
    """

    TITLE = "batch"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="run_batches")
    name = models.CharField(max_length=200)
    known_runs = models.ManyToManyField("evaluators.Run", related_name="known_in", blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def reached(self) -> str:
        return (
            f"The budget of the batch {self.name} is spent: the next call could exceed it. Raise it on the page of the "
            "batch, and its runs go on."
        )

    def check_left(self) -> None:
        """Raises StartError where nothing is left."""
        self.check_limits(Limits(self.max_tokens, self.max_cost_usd), self.TITLE)
