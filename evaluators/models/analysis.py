"""Error analysis: a sample of an evaluator's mistakes, each tagged with a cause by two people (FActScore table 14)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import AtomicFact, Dataset, GoldVersion, Segment, Value
from evaluators.models.run import Run
from ratings.models import Rating, RatingItem, RatingItemQuerySet, RatingSample, Settlement


class ErrorCause(models.Model):
    """A cause of a mistake. Every dataset begins with those of FActScore table 14 and adds its own after them."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="error_causes")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    help = models.TextField(blank=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "position"], name="error_cause_position_once"),
            models.UniqueConstraint(fields=["dataset", "name"], name="error_cause_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="error_cause_named"),
        ]

    def __str__(self) -> str:
        return self.name


class ErrorAnalysis(RatingSample):
    """Mistakes that a run made against gold, drawn once and for all; two people tag them all.

    `version` is the frozen gold it was compared with; null: gold in force, as it stood at `revision`.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="error_analyses")
    version = models.ForeignKey(GoldVersion, null=True, blank=True, on_delete=models.CASCADE)
    revision = models.PositiveIntegerField()

    class Meta(RatingSample.Meta):
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.size} mistakes of {self.run}"

    def is_complete(self) -> bool:
        """Both taggers have handed in."""
        return self.taggers.filter(handed_in_at__isnull=False).count() == Tagger.PLACES


class Tagger(models.Model):
    """One of the two people who tag a sample. Neither sees the other's tags until both have handed theirs in."""

    PLACES = 2

    analysis = models.ForeignKey(ErrorAnalysis, on_delete=models.CASCADE, related_name="taggers")
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    place = models.PositiveSmallIntegerField()
    handed_in_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["analysis", "place"], name="tagger_place_once"),
            models.UniqueConstraint(fields=["analysis", "who"], name="tagger_once"),
            models.CheckConstraint(condition=Q(place__lt=2), name="tagger_one_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.who} on {self.analysis}"

    @property
    def tags(self) -> "models.QuerySet[MistakeTag]":
        return MistakeTag.objects.filter(item__sample=self.analysis_id, rater=self.who_id)


class Mistake(RatingItem):
    """A unit at which the run contradicts gold; both values as they were when it was drawn."""

    ON_PAGE = ("segment__response__prompt", "fact")

    sample = models.ForeignKey(ErrorAnalysis, on_delete=models.CASCADE, related_name="items")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    gold = models.CharField(max_length=20, choices=Value.choices)
    predicted = models.CharField(max_length=20, choices=Value.choices)

    objects = RatingItemQuerySet["Mistake"].as_manager()

    class Meta(RatingItem.Meta):
        constraints = [
            *RatingItem.Meta.constraints,
            models.UniqueConstraint(
                fields=["sample", "segment"], condition=Q(fact__isnull=True), name="mistake_of_segment_once"
            ),
            models.UniqueConstraint(
                fields=["sample", "fact"], condition=Q(fact__isnull=False), name="mistake_of_fact_once"
            ),
        ]

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text

    @property
    def is_missed(self) -> bool:
        """Gold calls it an error and the evaluator does not; else it is a false alarm."""
        return self.gold != Value.SUPPORTED


class MistakeTag(Rating):
    """The cause in one tagger's opinion. It changes in place until it is handed in."""

    ANSWERS = ("cause",)

    item = models.ForeignKey(Mistake, on_delete=models.CASCADE, related_name="ratings")
    cause = models.ForeignKey(ErrorCause, on_delete=models.RESTRICT, related_name="tags")

    class Meta(Rating.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.cause} ({self.rater})"


class MistakeSettlement(Settlement):
    """The cause of a mistake whose two tags differ."""

    item = models.OneToOneField(Mistake, on_delete=models.CASCADE, related_name="settlement")
    cause = models.ForeignKey(ErrorCause, on_delete=models.RESTRICT, related_name="+")
