"""Why an evaluator is wrong: a sample of its mistakes, each tagged with a cause by two people (FActScore table 14)."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import AtomicFact, Dataset, GoldVersion, Segment, Value
from evaluators.models.run import Run


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


class ErrorAnalysis(models.Model):
    """`size` of the `population` mistakes that a run made against gold, drawn at random with a seed, once and for all.

    `version` is the frozen gold it was compared with; null: gold in force, as it stood at `revision`.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="error_analyses")
    version = models.ForeignKey(GoldVersion, null=True, blank=True, on_delete=models.CASCADE)
    revision = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    population = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(size__gte=1, size__lte=models.F("population")), name="error_analysis_size_of_population"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.size} mistakes of {self.run}"


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


class Mistake(models.Model):
    """A unit at which the run contradicts gold; both values as they were when it was drawn.

    Where the two tags differ somebody settles the cause: `settled`, by whom and why.
    """

    analysis = models.ForeignKey(ErrorAnalysis, on_delete=models.CASCADE, related_name="mistakes")
    position = models.PositiveIntegerField()
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    gold = models.CharField(max_length=20, choices=Value.choices)
    said = models.CharField(max_length=20, choices=Value.choices)
    settled = models.ForeignKey(ErrorCause, null=True, blank=True, on_delete=models.RESTRICT, related_name="+")
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)
    why = models.TextField(blank=True)

    class Meta:
        ordering = ["analysis", "position"]
        constraints = [
            models.UniqueConstraint(fields=["analysis", "position"], name="mistake_position_once"),
            models.UniqueConstraint(
                fields=["analysis", "segment"], condition=Q(fact__isnull=True), name="mistake_of_segment_once"
            ),
            models.UniqueConstraint(
                fields=["analysis", "fact"], condition=Q(fact__isnull=False), name="mistake_of_fact_once"
            ),
            models.CheckConstraint(
                condition=Q(settled__isnull=True, settled_by__isnull=True, settled_at__isnull=True)
                | Q(settled__isnull=False, settled_by__isnull=False, settled_at__isnull=False),
                name="mistake_settled_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.analysis}: {self.position + 1}"

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text

    @property
    def is_missed(self) -> bool:
        """Gold calls it an error and the evaluator does not; else it is a false alarm."""
        return self.gold != Value.SUPPORTED


class MistakeTag(models.Model):
    """The cause that one tagger sees. It changes in place until it is handed in."""

    mistake = models.ForeignKey(Mistake, on_delete=models.CASCADE, related_name="tags")
    tagger = models.ForeignKey(Tagger, on_delete=models.CASCADE, related_name="tags")
    cause = models.ForeignKey(ErrorCause, on_delete=models.RESTRICT, related_name="tags")
    note = models.TextField(blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["tagger__place"]
        constraints = [models.UniqueConstraint(fields=["mistake", "tagger"], name="mistake_tag_once")]

    def __str__(self) -> str:
        return f"{self.cause} ({self.tagger})"
