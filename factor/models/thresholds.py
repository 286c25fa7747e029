"""Candidates that people label so that the filters' thresholds can be chosen by them (FACTOR appendix A.2)."""

import random

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Exists, OuterRef

from factor.models.benchmark_build import BenchmarkBuild
from factor.models.candidates import Candidate
from ratings.errors import RatingError
from ratings.models import Rating, RatingItem, RatingItemQuerySet, RatingSample


class ThresholdSampleQuerySet(models.QuerySet["ThresholdSample"]):
    def lacking(self) -> "ThresholdSampleQuerySet":
        """The samples with a candidate that lacks its label."""
        return self.filter(Exists(ThresholdItem.objects.lacking().filter(sample=OuterRef("pk"))))


class ThresholdSample(RatingSample):
    """A number of a build's measured candidates, each error type in its share; each wants one label."""

    build = models.ForeignKey(BenchmarkBuild, on_delete=models.CASCADE, related_name="threshold_samples")

    objects = ThresholdSampleQuerySet.as_manager()

    class Meta(RatingSample.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.size} of {self.build}"

    def next_item(self, rater: AbstractUser) -> "ThresholdItem | None":
        """The next item without a label. Each person begins at a place of their own: two who label at the same time
        seldom meet."""
        left = self.items.left_for(rater).values_list("position", "pk")
        first = random.Random(f"{self.pk}/{rater.pk}").randrange(self.size)  # noqa: S311 - repeatable, no secret
        nearest = min(left, key=lambda each: (each[0] - first) % self.size, default=None)
        return None if nearest is None else ThresholdItem.objects.for_page().get(pk=nearest[1])


class ThresholdItem(RatingItem):
    """A drawn candidate."""

    ON_PAGE = ("sample", "candidate__item__document")
    FULL = "Somebody else has labelled that one meanwhile; here is the next."
    CLOSED = "All labels are in, and the results have been shown: yours stays as it is."

    sample = models.ForeignKey(ThresholdSample, on_delete=models.CASCADE, related_name="items")
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="threshold_items")

    objects = RatingItemQuerySet["ThresholdItem"].as_manager()

    class Meta(RatingItem.Meta):
        constraints = [
            *RatingItem.Meta.constraints,
            models.UniqueConstraint(fields=["sample", "candidate"], name="threshold_candidate_once"),
        ]

    @property
    def label(self) -> "ThresholdLabel":
        """The one label of an item of a complete sample; no query where ratings are prefetched."""
        label: ThresholdLabel = self.ratings.all()[0]
        return label


class ThresholdLabel(Rating):
    """Answers: the candidate contradicts the original; it is `sound`, that is fluent and consistent in itself."""

    ANSWERS = ("contradictory", "sound")

    item = models.ForeignKey(ThresholdItem, on_delete=models.CASCADE, related_name="ratings")
    contradictory = models.BooleanField()
    sound = models.BooleanField()

    class Meta(Rating.Meta):
        pass

    def check_answers(self, item: ThresholdItem) -> None:
        super().check_answers(item)
        if None in (self.contradictory, self.sound):
            raise RatingError("Answer both questions.")
