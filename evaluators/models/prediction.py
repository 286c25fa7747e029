"""What an evaluator said."""

from django.db import models
from django.db.models import Q

from annotate.models import AtomicFact, Segment, Value
from evaluators.models.run import Run
from llm.models import Call


class Prediction(models.Model):
    """A judgement at the address (segment, fact or null), once a run.

    `value` is null exactly where the output could not be parsed; `score` is the probability of *supported*, null where
    the method has none; `calls` are the model's answers it was read from.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="predictions")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="predictions")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="predictions")
    value = models.CharField(max_length=20, choices=Value.choices, null=True, blank=True)  # noqa: DJ001 - null is "unparsed"
    score = models.FloatField(null=True, blank=True)
    rationale = models.TextField(blank=True)
    unparsed = models.BooleanField(default=False)
    calls = models.ManyToManyField(Call, related_name="predictions", blank=True)

    class Meta:
        constraints = [
            # Two, because a null fact counts as different from every other null.
            models.UniqueConstraint(
                fields=["run", "segment"], condition=Q(fact__isnull=True), name="prediction_of_segment_once"
            ),
            models.UniqueConstraint(
                fields=["run", "fact"], condition=Q(fact__isnull=False), name="prediction_of_fact_once"
            ),
            models.CheckConstraint(
                condition=Q(value__in=Value.values, unparsed=False) | Q(value__isnull=True, unparsed=True),
                name="prediction_value_or_unparsed",
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__gte=0, score__lte=1), name="prediction_score_is_probability"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.value or 'unparsed'}"
