"""What is judged: segments of a response, and the atomic facts of a segment."""

from django.db import models
from django.db.models import F, Q

from annotate.models.corpus import Response


class Segment(models.Model):
    """A piece of a response, mostly a sentence. [start, end) are character offsets into the response's text, both null
    where the segment's text cannot be found there (annotate/segments/locate.py)."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="segments")
    position = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    relevant = models.BooleanField(default=True, help_text="False: unrelated to the prompt (FActScore's sentences).")
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["response", "position"]
        constraints = [
            models.UniqueConstraint(fields=["response", "position"], name="segment_position_once"),
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True)
                | Q(start__isnull=False, end__isnull=False, end__gte=F("start")),
                name="segment_offsets_half_open",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class FactSet(models.Model):
    """One way in which a response was broken into atomic facts."""

    class Origin(models.TextChoices):
        HUMAN = "human", "Written by people"
        MODEL = "model", "Written by a model"

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="fact_sets")
    origin = models.CharField(max_length=10, choices=Origin.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "origin"], name="fact_set_one_an_origin"),
            models.CheckConstraint(condition=Q(origin__in=["human", "model"]), name="fact_set_origin_known"),
        ]

    def __str__(self) -> str:
        return f"{self.origin} facts of {self.response}"


class AtomicFact(models.Model):
    """A short statement with one piece of information. `position` counts within its segment, from 0."""

    fact_set = models.ForeignKey(FactSet, on_delete=models.CASCADE, related_name="facts")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="facts")
    position = models.PositiveIntegerField()
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["segment", "position"]
        constraints = [
            models.UniqueConstraint(fields=["fact_set", "segment", "position"], name="fact_position_once"),
        ]

    def __str__(self) -> str:
        return self.text[:80]
