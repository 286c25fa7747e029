"""An evaluator: a method with everything that is fixed before a run."""

from django.db import models


class Evaluator(models.Model):
    """`method` is a name of the registry (evaluators/methods/), "imported" for one that ran elsewhere, or "outside"
    for one whose program takes its cases by the API.

    `parameters` holds every parameter of the method with its defaults spelled out, the prompt set and the protocol
    profile among them.
    """

    IMPORTED = "imported"
    OUTSIDE = "outside"

    name = models.CharField(max_length=200, unique=True)
    method = models.CharField(max_length=100)
    model = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
