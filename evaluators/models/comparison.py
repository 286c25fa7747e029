"""Comparisons too large to be computed while a page waits."""

from django.db import models

from annotate.models import Dataset, GoldVersion
from jobs.models import GroupedItem, JobItemQuerySet


class Comparison(GroupedItem):
    """A question put to all evaluators of a dataset, with or without its people, and its answer once a worker has
    computed it.

    `key` names all that the answer is made of, so another state of gold, labels or a run is another row; it names
    nothing where that state changed while the answer was computed. `question` is
    one of three (evaluators/comparison/comparison_job.py). `step` is the current one, of `steps` so many `done`;
    `figures` the document (evaluators/comparison/documents.py, people.py), null until done.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="comparisons")
    version = models.ForeignKey(GoldVersion, null=True, blank=True, on_delete=models.CASCADE)
    key = models.CharField(max_length=80, unique=True)
    question = models.JSONField()
    figures = models.JSONField(null=True, blank=True)
    step = models.CharField(max_length=100, blank=True)
    done = models.PositiveIntegerField(default=0)
    steps = models.PositiveIntegerField(default=0)

    objects = JobItemQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.dataset}: {self.question}"
