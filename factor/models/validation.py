"""A sample of a benchmark's false completions that people validate (FACTOR §3.3.1)."""

from django.conf import settings
from django.db import models
from django.db.models import Count, F, Q

from factor.models.benchmark import Benchmark, Completion, ErrorType


class Validation(models.Model):
    """So many examples of a benchmark drawn at random with a seed; each of their false completions is to be rated by
    `raters` people."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="validations")
    size = models.PositiveIntegerField()
    raters = models.PositiveSmallIntegerField(default=2)
    seed = models.BigIntegerField()
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(size__gte=1, raters__gte=1), name="validation_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.size} examples of {self.benchmark}"


class ValidationItemQuerySet(models.QuerySet["ValidationItem"]):
    def lacking(self) -> "ValidationItemQuerySet":
        """Those that want more ratings than they have."""
        return self.annotate(rated=Count("ratings")).filter(rated__lt=F("validation__raters"))

    def shown(self) -> "ValidationItemQuerySet":
        """With what a rater sees of them."""
        return self.select_related("validation__benchmark__dataset", "completion__example")


class ValidationItem(models.Model):
    """One false completion of a drawn example."""

    validation = models.ForeignKey(Validation, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    completion = models.ForeignKey(Completion, on_delete=models.CASCADE, related_name="validation_items")

    objects = ValidationItemQuerySet.as_manager()

    class Meta:
        ordering = ["validation", "position"]
        constraints = [
            models.UniqueConstraint(fields=["validation", "position"], name="validation_position_once"),
            models.UniqueConstraint(fields=["validation", "completion"], name="validation_completion_once"),
        ]

    def __str__(self) -> str:
        return f"{self.validation}: {self.position + 1}"


class Verdict(models.Model):
    """What is said of a false completion: whether it contradicts the true one, whether it is fluent and consistent in
    itself, and, where it is non-factual, its error type."""

    non_factual = models.BooleanField()
    fluent = models.BooleanField()
    self_consistent = models.BooleanField()
    error_type = models.CharField(max_length=20, choices=ErrorType.choices, blank=True)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    non_factual=True, error_type__in=["entity", "predicate", "circumstance", "coreference", "link"]
                )
                | Q(non_factual=False, error_type=""),
                name="%(class)s_typed_if_non_factual",
            )
        ]


class CompletionRating(Verdict):
    """One rater's verdict on an item."""

    item = models.ForeignKey(ValidationItem, on_delete=models.CASCADE, related_name="ratings")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="completion_ratings")

    class Meta:
        constraints = [
            *Verdict.Meta.constraints,
            models.UniqueConstraint(fields=["item", "rater"], name="completion_rating_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rater} on {self.item}"


class Settlement(Verdict):
    """An adjudicator's verdict on an item of which its raters say different things."""

    item = models.OneToOneField(ValidationItem, on_delete=models.CASCADE, related_name="settlement")
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="settlements")

    class Meta:
        constraints = [*Verdict.Meta.constraints]

    def __str__(self) -> str:
        return f"{self.settled_by} settled {self.item}"
