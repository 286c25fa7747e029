"""Predictions of evaluators."""

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from annotate.models import AtomicFact, GoldLabel, Segment, Value
from evaluators.models.run import Run
from llm.models import Call

ERRORS = tuple(value for value in Value if value != Value.SUPPORTED)


def _gold_value() -> Coalesce:
    """The facts of a sentence that is irrelevant as a whole have no gold of their own: theirs is the sentence's."""
    gold = GoldLabel.objects.current().values("value")
    of_fact = gold.filter(fact=OuterRef("fact"))
    of_segment = gold.filter(segment=OuterRef("segment"), fact__isnull=True)
    return Coalesce(Subquery(of_fact), Subquery(of_segment))


class PredictionQuerySet(models.QuerySet["Prediction"]):
    def errors(self) -> "PredictionQuerySet":
        """Predictions of "error", the positive class (docs/statistics.md, Error detection)."""
        return self.filter(value__in=ERRORS)

    def unparsed(self) -> "PredictionQuerySet":
        return self.filter(unparsed=True)

    def with_gold(self) -> "PredictionQuerySet":
        """Adds `gold`: the value of current gold at the address, None where there is none."""
        return self.annotate(gold=_gold_value())

    def disagreeing(self) -> "PredictionQuerySet":
        """Predictions on the other side of correct and error than gold; both values are needed."""
        predicted, true = Q(value__in=ERRORS), Q(true__in=ERRORS)
        known = self.alias(true=_gold_value()).filter(value__isnull=False, true__isnull=False)
        return known.filter((predicted & ~true) | (~predicted & true))

    def in_reading_order(self) -> "PredictionQuerySet":
        return self.order_by(
            "segment__response__position", "segment__position", F("fact__position").asc(nulls_first=True), "pk"
        )


class Prediction(models.Model):
    """A judgement at the address (segment, fact or null), once a run.

    `value` is null exactly where the output could not be parsed; `score` is the probability of *supported*, null where
    the method has none; `fallback` says why another method than the run's judged it ("" where none did); `calls` are
    the model's answers it was read from.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="predictions")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="predictions")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="predictions")
    value = models.CharField(max_length=20, choices=Value.choices, null=True, blank=True)  # noqa: DJ001 - null is "unparsed"
    score = models.FloatField(null=True, blank=True)
    rationale = models.TextField(blank=True)
    unparsed = models.BooleanField(default=False)
    fallback = models.CharField(max_length=100, blank=True, default="", db_default="")
    calls = models.ManyToManyField(Call, related_name="predictions", blank=True)

    objects = PredictionQuerySet.as_manager()

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
