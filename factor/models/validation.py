"""A sample of a benchmark's false completions that people validate (FACTOR §3.3.1)."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from factor.models.benchmark import Benchmark, Completion, FactorErrorType
from ratings.errors import RatingError
from ratings.models import Rating, RatingItem, RatingItemQuerySet, RatingSample, Settlement


class Validation(RatingSample):
    """A number of examples of a benchmark; each of their false completions is an item."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="validations")

    class Meta(RatingSample.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.size} examples of {self.benchmark}"


class ValidationItem(RatingItem):
    """One false completion of a drawn example."""

    ON_PAGE = ("sample__benchmark__dataset", "completion__example")

    sample = models.ForeignKey(Validation, on_delete=models.CASCADE, related_name="items")
    completion = models.ForeignKey(Completion, on_delete=models.CASCADE, related_name="validation_items")

    objects = RatingItemQuerySet["ValidationItem"].as_manager()

    class Meta(RatingItem.Meta):
        constraints = [
            *RatingItem.Meta.constraints,
            models.UniqueConstraint(fields=["sample", "completion"], name="validation_completion_once"),
        ]


class CompletionVerdict(models.Model):
    """Answers: the false completion contradicts the true one, is fluent, is consistent in itself. A non-factual one has
    an error type, a factual one ""."""

    QUESTIONS = ("non_factual", "fluent", "self_consistent")
    ANSWERS: ClassVar[tuple[str, ...]] = (*QUESTIONS, "error_type")

    non_factual = models.BooleanField()
    fluent = models.BooleanField()
    self_consistent = models.BooleanField()
    error_type = models.CharField(max_length=20, choices=FactorErrorType.choices, blank=True)

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

    def check_verdict(self) -> None:
        """Raises RatingError unless it is whole."""
        if None in (self.non_factual, self.fluent, self.self_consistent):
            raise RatingError("Answer all three questions.")
        if self.non_factual and self.error_type not in FactorErrorType.values:
            raise RatingError("Say in what the completion is wrong: choose one of the five error types.")
        if not self.non_factual and self.error_type:
            raise RatingError("A completion that does not contradict the original has no error type.")


class CompletionRating(CompletionVerdict, Rating):
    """One rater's verdict on an item."""

    item = models.ForeignKey(ValidationItem, on_delete=models.CASCADE, related_name="ratings")

    class Meta(Rating.Meta):
        constraints = [*CompletionVerdict.Meta.constraints, *Rating.Meta.constraints]

    def check_answers(self, item: Any) -> None:
        super().check_answers(item)
        self.check_verdict()


class CompletionSettlement(CompletionVerdict, Settlement):
    """An adjudicator's verdict on an item on which its raters differ."""

    item = models.OneToOneField(ValidationItem, on_delete=models.CASCADE, related_name="settlement")

    class Meta:
        constraints = [*CompletionVerdict.Meta.constraints]

    @property
    def note(self) -> str:
        return self.why
