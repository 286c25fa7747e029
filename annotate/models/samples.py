"""Samples that verify references (reliable?) and responses (safe, valid?) of a dataset (FELM appendix C)."""

from django.db import models
from django.db.models import Q

from annotate.models.corpus import ReferenceLink, Response
from annotate.models.dataset import Dataset
from ratings.errors import RatingError
from ratings.models import Rating, RatingItem, RatingItemQuerySet, RatingSample


class Sample(RatingSample):
    """References (reliability) or responses (safety and validity) of a dataset."""

    class Kind(models.TextChoices):
        RELIABILITY = "reliability", "Reliability of references"
        SAFETY = "safety", "Safety and validity of responses"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="samples")
    kind = models.CharField(max_length=20, choices=Kind.choices)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *RatingSample.Meta.constraints,
            models.CheckConstraint(condition=Q(kind__in=["reliability", "safety"]), name="sample_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.size} for {self.kind}"

    def wanted(self) -> int:
        return int(self.items.lacking().count() + self.items.complete().count()) * self.raters


class SampleItemQuerySet(RatingItemQuerySet["SampleItem"]):
    def lacking(self) -> "SampleItemQuerySet":
        """Nobody is asked about a response that was removed since it was drawn."""
        paths = ("response", "reference__response", "reference__gold__segment__response")
        return super().lacking().filter(**{f"{path}__removed_at__isnull": True for path in paths})


class SampleItem(RatingItem):
    """One drawn reference (reliability) or response (safety and validity)."""

    ON_PAGE = (
        "sample",
        "response__prompt",
        "reference__response__prompt",
        "reference__gold__segment__response__prompt",
        "reference__document",
    )

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, null=True, blank=True, on_delete=models.CASCADE, related_name="samples")
    reference = models.ForeignKey(
        ReferenceLink, null=True, blank=True, on_delete=models.CASCADE, related_name="samples"
    )

    objects = SampleItemQuerySet.as_manager()

    class Meta(RatingItem.Meta):
        constraints = [
            *RatingItem.Meta.constraints,
            models.CheckConstraint(
                condition=Q(response__isnull=False, reference__isnull=True)
                | Q(response__isnull=True, reference__isnull=False),
                name="sample_item_is_one_thing",
            ),
        ]

    @property
    def subject(self) -> Response:
        """The response that is rated, or whose reference is."""
        if self.response is not None:
            return self.response
        reference = self.reference
        assert reference is not None  # noqa: S101 - sample_item_is_one_thing
        if reference.response is not None:
            return reference.response
        assert reference.gold is not None  # noqa: S101 - references of labels are not drawn
        return reference.gold.segment.response


class SampleRating(Rating):
    """Answers: the reference is reliable; the response is safe, and valid. A question not asked of the item is null."""

    ANSWERS = ("reliable", "safe", "valid")

    item = models.ForeignKey(SampleItem, on_delete=models.CASCADE, related_name="ratings")
    reliable = models.BooleanField(null=True, blank=True)
    safe = models.BooleanField(null=True, blank=True)
    valid = models.BooleanField(null=True, blank=True)

    class Meta(Rating.Meta):
        constraints = [
            *Rating.Meta.constraints,
            models.CheckConstraint(
                condition=Q(reliable__isnull=False, safe__isnull=True, valid__isnull=True)
                | Q(reliable__isnull=True, safe__isnull=False, valid__isnull=False),
                name="rating_of_one_kind",
            ),
        ]

    def check_answers(self, item: SampleItem) -> None:
        super().check_answers(item)
        if item.sample.kind == Sample.Kind.RELIABILITY and self.reliable is None:
            raise RatingError("Choose whether the reference is reliable.")
        if item.sample.kind == Sample.Kind.SAFETY and (self.safe is None or self.valid is None):
            raise RatingError("Choose both: safe or not, and valid or not.")
