"""Candidates that people label so that the filters' thresholds can be chosen by them (FACTOR appendix A.2)."""

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from factor.models.benchmark_build import BenchmarkBuild
from factor.models.candidates import Candidate


class ThresholdSampleQuerySet(models.QuerySet["ThresholdSample"]):
    def lacking(self) -> "ThresholdSampleQuerySet":
        """Those of which a candidate waits for its label."""
        return self.filter(Exists(ThresholdItem.objects.lacking().filter(sample=OuterRef("pk"))))


class ThresholdSample(models.Model):
    """So many of a build's measured candidates, drawn with a seed, each error type in its share."""

    build = models.ForeignKey(BenchmarkBuild, on_delete=models.CASCADE, related_name="threshold_samples")
    size = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ThresholdSampleQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=Q(size__gte=1), name="threshold_sample_not_empty")]

    def __str__(self) -> str:
        return f"{self.size} of {self.build}"


class ThresholdItemQuerySet(models.QuerySet["ThresholdItem"]):
    def lacking(self) -> "ThresholdItemQuerySet":
        """Those that nobody has labelled."""
        return self.filter(labelled_at=None)

    def labelled(self) -> "ThresholdItemQuerySet":
        return self.exclude(labelled_at=None)

    def shown(self) -> "ThresholdItemQuerySet":
        """With what a person sees of them, and with their figures."""
        return self.select_related("sample", "candidate__item__document", "labelled_by")


class ThresholdItem(models.Model):
    """A drawn candidate and what one person says of it: does it contradict the original; is it `sound`, that is fluent
    and consistent with itself. None before anybody has said so."""

    sample = models.ForeignKey(ThresholdSample, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="threshold_items")
    contradictory = models.BooleanField(null=True, blank=True)
    sound = models.BooleanField(null=True, blank=True)
    labelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    labelled_at = models.DateTimeField(null=True, blank=True)

    objects = ThresholdItemQuerySet.as_manager()

    class Meta:
        ordering = ["sample", "position"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "position"], name="threshold_position_once"),
            models.UniqueConstraint(fields=["sample", "candidate"], name="threshold_candidate_once"),
            models.CheckConstraint(
                condition=Q(labelled_at__isnull=True, contradictory__isnull=True, sound__isnull=True)
                | Q(labelled_at__isnull=False, contradictory__isnull=False, sound__isnull=False),
                name="threshold_labelled_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sample}: {self.position + 1}"
