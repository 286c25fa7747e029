"""Samples drawn to verify a data set: are its references reliable, its responses safe and valid (FELM appendix C)."""

from django.conf import settings
from django.db import models
from django.db.models import Count, F, Q

from annotate.models.corpus import ReferenceLink, Response
from annotate.models.dataset import Dataset


class Sample(models.Model):
    """So many references or responses drawn at random with a seed, each to be rated by `raters` people."""

    class Kind(models.TextChoices):
        RELIABILITY = "reliability", "Reliability of references"
        SAFETY = "safety", "Safety and validity of responses"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="samples")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    size = models.PositiveIntegerField()
    raters = models.PositiveSmallIntegerField(default=3)
    seed = models.BigIntegerField()
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["reliability", "safety"]), name="sample_kind_known"),
            models.CheckConstraint(condition=Q(size__gte=1, raters__gte=1), name="sample_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.size} for {self.kind}"


class SampleItemQuerySet(models.QuerySet["SampleItem"]):
    def lacking(self) -> "SampleItemQuerySet":
        """Those that want more ratings than they have."""
        return self.annotate(rated=Count("ratings")).filter(rated__lt=F("sample__raters"))

    def shown(self) -> "SampleItemQuerySet":
        """With what a rater sees of them."""
        return self.select_related(
            "sample",
            "response__prompt",
            "reference__response__prompt",
            "reference__gold__segment__response__prompt",
            "reference__document",
        )


class SampleItem(models.Model):
    """One drawn reference (reliability) or response (safety and validity)."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    response = models.ForeignKey(Response, null=True, blank=True, on_delete=models.CASCADE, related_name="samples")
    reference = models.ForeignKey(
        ReferenceLink, null=True, blank=True, on_delete=models.CASCADE, related_name="samples"
    )

    objects = SampleItemQuerySet.as_manager()

    class Meta:
        ordering = ["sample", "position"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "position"], name="sample_position_once"),
            models.CheckConstraint(
                condition=Q(response__isnull=False, reference__isnull=True)
                | Q(response__isnull=True, reference__isnull=False),
                name="sample_item_is_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sample}: {self.position + 1}"

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


class Rating(models.Model):
    """One rater's word on an item: is the reference reliable; is the response safe, and is it valid."""

    item = models.ForeignKey(SampleItem, on_delete=models.CASCADE, related_name="ratings")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    reliable = models.BooleanField(null=True, blank=True)
    safe = models.BooleanField(null=True, blank=True)
    valid = models.BooleanField(null=True, blank=True)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater"], name="rating_once"),
            models.CheckConstraint(
                condition=Q(reliable__isnull=False, safe__isnull=True, valid__isnull=True)
                | Q(reliable__isnull=True, safe__isnull=False, valid__isnull=False),
                name="rating_of_one_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater} on {self.item}"
