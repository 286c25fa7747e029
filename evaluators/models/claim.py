"""Claims that a method extracted by itself, and the units that they are aligned to."""

from django.db import models
from django.db.models import F, Q

from annotate.models import AtomicFact, Response, Segment, Value
from evaluators.models.run import Run
from llm.models import Call


class ExtractedClaimQuerySet(models.QuerySet["ExtractedClaim"]):
    def in_reading_order(self) -> "ExtractedClaimQuerySet":
        return self.order_by("response__position", "position")


class ExtractedClaim(models.Model):
    """A claim of a response in the words of a run's method, with its own verdict.

    `position` counts the claims of the response from 0; `value` is null where there is no verdict, as the output could
    not be parsed or no call had room for the claim; `score` is the probability of *supported*, null where the method
    has none; `segment` is the number of the segment, from 0, that it was taken from, null where the method does not
    say; `calls` are the model's answers it was read from.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="extracted_claims")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="extracted_claims")
    position = models.PositiveIntegerField()
    text = models.TextField()
    value = models.CharField(max_length=20, choices=Value.choices, null=True, blank=True)  # noqa: DJ001 - null is "unparsed"
    score = models.FloatField(null=True, blank=True)
    rationale = models.TextField(blank=True, default="", db_default="")
    segment = models.PositiveIntegerField(null=True, blank=True)
    calls = models.ManyToManyField(Call, related_name="extracted_claims", blank=True)

    objects = ExtractedClaimQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "response", "position"], name="extracted_claim_once"),
            models.CheckConstraint(
                condition=Q(value__isnull=True) | Q(value__in=Value.values), name="extracted_claim_value_known"
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__gte=0, score__lte=1),
                name="extracted_claim_score_is_probability",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.text[:80]}"


class ClaimAlignmentQuerySet(models.QuerySet["ClaimAlignment"]):
    def in_reading_order(self) -> "ClaimAlignmentQuerySet":
        return self.order_by("claim", "segment__position", F("fact__position").asc(nulls_first=True))


class ClaimAlignment(models.Model):
    """A unit, by its address, that says what a claim says (evaluators/methods/claim_alignment.py)."""

    claim = models.ForeignKey(ExtractedClaim, on_delete=models.CASCADE, related_name="alignments")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="+")

    objects = ClaimAlignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            # Two, because a null fact counts as different from every other null.
            models.UniqueConstraint(
                fields=["claim", "segment"], condition=Q(fact__isnull=True), name="claim_aligned_to_segment_once"
            ),
            models.UniqueConstraint(
                fields=["claim", "fact"], condition=Q(fact__isnull=False), name="claim_aligned_to_fact_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim} at {self.segment}"
