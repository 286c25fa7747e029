"""Judged units: segments of a response, and the atomic facts of a segment."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotate.models.corpus import Response


class Segment(models.Model):
    """A piece of a response, mostly a sentence; in the scheme of claims a claim. [start, end) are character offsets
    into the response's text, both null where the segment's text cannot be found there (annotate/corpus/locate.py)."""

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


class Segmentation(models.Model):
    """One cut of a response, kept so that it can be restored; the last row is the one in force.

    `spans` are half-open character offsets into the response's text, [[start, end], …], in order; together with the
    white space between them they give the whole text, but for what an import's left out.
    """

    class Origin(models.TextChoices):
        IMPORT = "import", "Imported"
        MODEL = "model", "Proposed by a model"
        HUMAN = "human", "Edited by a person"

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="segmentations")
    origin = models.CharField(max_length=10, choices=Origin.choices)
    spans = models.JSONField()
    model = models.CharField(max_length=200, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["response", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(origin__in=["import", "model", "human"]), name="segmentation_origin_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_origin_display()}: {self.response}"


class FactSet(models.Model):
    """One set of the atomic facts of a response.

    A model's names the model and the hash of the prompt it was asked with. People's names its last author; it is not
    judged while it is still `draft`. `version` counts its saves, so that a stale page is refused. One generated inside
    a run belongs to the evaluators that ask this model with this prompt: nobody labels it, gold knows nothing of it.
    """

    class Origin(models.TextChoices):
        HUMAN = "human", "Written by people"
        MODEL = "model", "Written by a model"
        GENERATED = "generated", "Generated inside a run"

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="fact_sets")
    origin = models.CharField(max_length=10, choices=Origin.choices)
    model = models.CharField(max_length=200, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    draft = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["response", "origin"], condition=~Q(origin="generated"), name="fact_set_one_an_origin"
            ),
            models.UniqueConstraint(
                fields=["response", "model", "prompt_hash"],
                condition=Q(origin="generated"),
                name="fact_set_generated_once",
            ),
            models.CheckConstraint(
                condition=Q(origin__in=["human", "model", "generated"]), name="fact_set_origin_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} facts of {self.response}"


class AtomicFactQuerySet(models.QuerySet["AtomicFact"]):
    def for_labelling(self) -> "AtomicFactQuerySet":
        """Those of people who have finished, and those a model proposed; not what evaluators made for themselves."""
        return self.filter(fact_set__draft=False).exclude(fact_set__origin=FactSet.Origin.GENERATED)


class AtomicFact(models.Model):
    """A short statement with one piece of information. `position` counts within its segment, from 0.

    `derived_from` are the model's facts that a person made this one of: several where they merged, the same one for
    several where they split. `extra`: what the file says of it besides (annotate/corpus/mapping.py), null for nothing.
    """

    fact_set = models.ForeignKey(FactSet, on_delete=models.CASCADE, related_name="facts")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="facts")
    position = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    derived_from = models.ManyToManyField("self", symmetrical=False, related_name="became", blank=True)
    extra = models.JSONField(null=True, blank=True)

    objects = AtomicFactQuerySet.as_manager()

    class Meta:
        ordering = ["segment", "position"]
        constraints = [
            models.UniqueConstraint(fields=["fact_set", "segment", "position"], name="fact_position_once"),
        ]

    def __str__(self) -> str:
        return self.text[:80]
