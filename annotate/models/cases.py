"""How many addresses of each task wait for gold: counted once, and again when something of the task has changed."""

from django.db import models
from django.db.models import Q

from annotate.models.dataset import Dataset
from annotate.models.work import Task

# Of a task in which no address waits for gold.
WITHOUT_CASES = Q(unanimous=0, disputed=0, unjudged=0)


class CaseCount(models.Model):
    """The cases of a task by their status (annotate/cases/addresses.py); a row for each task that may hold some.

    `labelled_at`: when the last of its annotators submitted; None for a qualification that nobody has done.
    """

    task = models.OneToOneField(
        Task, on_delete=models.CASCADE, primary_key=True, db_constraint=False, related_name="case_count"
    )
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, db_constraint=False, related_name="case_counts")
    unanimous = models.PositiveIntegerField(default=0)
    disputed = models.PositiveIntegerField(default=0)
    unjudged = models.PositiveIntegerField(default=0)
    labelled_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["dataset"],
                condition=Q(disputed__gt=0) | Q(unjudged__gt=0),
                name="case_count_needs_a_person",
            ),
            models.Index(fields=["dataset"], condition=WITHOUT_CASES, name="case_count_without_cases"),
        ]

    def __str__(self) -> str:
        return f"{self.task}: {self.unanimous} unanimous, {self.disputed} disputed, {self.unjudged} unjudged"


class CaseChange(models.Model):
    """Something of a task has changed since its cases were counted. Written by triggers (annotate/cases/triggers.py),
    so that no writer can forget it; the task may be gone."""

    task = models.ForeignKey(Task, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")

    def __str__(self) -> str:
        return f"task {self.task_id} has changed"
