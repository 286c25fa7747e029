"""Gold: decisions, the gold labels they made, and frozen versions of them."""

from typing import Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotate.models.corpus import Response, complete, visible
from annotate.models.dataset import Dataset, Guideline
from annotate.models.units import AtomicFact, Segment
from annotate.models.values import Disagreement, Irrelevance, Unsupported, Value


class AdjudicationQuerySet(models.QuerySet["Adjudication"]):
    def on_values(self) -> "AdjudicationQuerySet":
        """Those that judge; the others settle how a sentence reads when it is made right."""
        return self.filter(edits__isnull=True)


class Adjudication(models.Model):
    """A person's decision at an address: who, when and why. The gold it made points to it."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="adjudications")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="adjudications")
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="adjudications")
    why = models.TextField()
    category = models.CharField(max_length=20, choices=Disagreement.choices, blank=True)
    guideline = models.ForeignKey(Guideline, null=True, blank=True, on_delete=models.PROTECT)
    cites = models.TextField(blank=True, help_text="The rule of the guidelines that it goes by.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AdjudicationQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="adjudication_has_reason")]

    def __str__(self) -> str:
        return f"{self.who}: {self.why[:60]}"


Settled = TypeVar("Settled", bound=models.Model)


class SettledQuerySet(models.QuerySet[Settled]):
    """Settled rows of a segment: they supersede each other, at `revision` and `superseded`."""

    def current(self) -> Self:
        return self.filter(superseded__isnull=True)

    def at(self, revision: int) -> Self:
        """Rows in force once the dataset's `gold_revision` had reached this number."""
        return self.filter(revision__lte=revision).filter(Q(superseded__isnull=True) | Q(superseded__gt=revision))

    def of(self, dataset: Dataset) -> Self:
        """Rows of the dataset's responses, removed ones too."""
        return self.filter(complete("segment__response__"), segment__response__dataset=dataset)

    def without_removed(self, revision: int | None = None) -> Self:
        """Leave out that of responses which were removed from the dataset, now or as of a revision: what gold is
        frozen, exported and evaluated without."""
        return self.exclude(segment__response__in=Removal.objects.removed(revision).values("response"))


class GoldLabelQuerySet(SettledQuerySet["GoldLabel"]):
    """Those of judgements."""


class GoldLabel(models.Model):
    """The settled judgement at an address. Never overwritten: a change supersedes the row and adds another.

    `revision` and `superseded` are numbers of the dataset's `gold_revision` (null: still in force).
    """

    class Source(models.TextChoices):
        IMPORT = "import", "Imported"
        UNANIMOUS = "unanimous", "Unanimous"
        ADJUDICATED = "adjudicated", "Adjudicated"

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="gold")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="gold")
    value = models.CharField(max_length=20, choices=Value.choices)
    error_type = models.CharField(max_length=50, blank=True)
    irrelevance = models.CharField(max_length=20, choices=Irrelevance.choices, blank=True, default="", db_default="")
    tag = models.CharField(max_length=20, choices=Unsupported.choices, blank=True, default="", db_default="")
    reason = models.TextField(blank=True)
    source = models.CharField(max_length=20, choices=Source.choices)
    adjudication = models.ForeignKey(Adjudication, null=True, blank=True, on_delete=models.PROTECT, related_name="gold")
    revision = models.PositiveIntegerField()
    superseded = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GoldLabelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["segment"],
                condition=Q(fact__isnull=True, superseded__isnull=True),
                name="gold_of_segment_one_in_force",
            ),
            models.UniqueConstraint(
                fields=["fact"],
                condition=Q(fact__isnull=False, superseded__isnull=True),
                name="gold_of_fact_one_in_force",
            ),
            models.CheckConstraint(condition=Q(value__in=Value.values), name="gold_value_known"),
            models.CheckConstraint(
                condition=Q(source__in=["import", "unanimous", "adjudicated"]), name="gold_source_known"
            ),
            models.CheckConstraint(
                condition=Q(source="import") | Q(adjudication__isnull=False), name="gold_made_here_has_adjudication"
            ),
            models.CheckConstraint(
                condition=Q(superseded__isnull=True) | Q(superseded__gt=F("revision")), name="gold_superseded_later"
            ),
        ]
        # What came or went since a revision, or was decided of late, is found among all others.
        indexes = [
            models.Index(fields=["revision"], name="gold_revision"),
            models.Index(fields=["superseded"], condition=Q(superseded__isnull=False), name="gold_superseded"),
            models.Index(fields=["created_at"], condition=Q(adjudication__isnull=False), name="gold_decided_at"),
        ]

    def __str__(self) -> str:
        return f"{self.value} ({self.source})"

    def in_force_at(self, revision: int) -> bool:
        """As `GoldLabelQuerySet.at`."""
        return self.revision <= revision and (self.superseded is None or self.superseded > revision)


class GoldCount(models.Model):
    """How many gold labels were in force at a revision, as [source, value, number] (annotate/gold/counts.py)."""

    dataset = models.OneToOneField(Dataset, on_delete=models.CASCADE, primary_key=True, related_name="gold_count")
    revision = models.PositiveIntegerField()
    numbers = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"gold of {self.dataset} at revision {self.revision}"


class GoldVersion(models.Model):
    """A name for gold as it stood at a revision; `hash` is over its content (annotate/gold/freeze.py)."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="gold_versions")
    name = models.CharField(max_length=100)
    revision = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    labels = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(fields=["dataset", "name"], name="gold_version_name_once")]

    def __str__(self) -> str:
        return f"{self.dataset} {self.name}"


class GoldEditQuerySet(SettledQuerySet["GoldEdit"]):
    """Those of corrections."""


class GoldEdit(models.Model):
    """The settled correction of a sentence ("" removes it); revisions as GoldLabel's."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="gold_edits")
    text = models.TextField(blank=True)
    adjudication = models.ForeignKey(Adjudication, on_delete=models.PROTECT, related_name="edits")
    revision = models.PositiveIntegerField()
    superseded = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GoldEditQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["segment"], condition=Q(superseded__isnull=True), name="gold_edit_one_in_force"
            ),
            models.CheckConstraint(
                condition=Q(superseded__isnull=True) | Q(superseded__gt=F("revision")),
                name="gold_edit_superseded_later",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class RemovalQuerySet(models.QuerySet["Removal"]):
    def removed(self, revision: int | None = None) -> "RemovalQuerySet":
        """The removals in force, now or as of a revision."""
        if revision is None:
            return self.filter(keep=False, superseded__isnull=True)
        return self.filter(keep=False, revision__lte=revision).filter(
            Q(superseded__isnull=True) | Q(superseded__gt=revision)
        )


class Removal(models.Model):
    """The settled word on whether a response stays in the dataset; revisions as GoldLabel's. Without one it stays.

    selected: it was removed by selection, and counts nowhere; else by what its annotators said of it, and its gold does
    not count.
    """

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="removals")
    keep = models.BooleanField()
    selected = models.BooleanField(default=False, db_default=False)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="removals")
    why = models.TextField()
    revision = models.PositiveIntegerField()
    superseded = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RemovalQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["response"], condition=Q(superseded__isnull=True), name="removal_one_in_force"
            ),
            models.CheckConstraint(condition=~Q(why=""), name="removal_has_reason"),
            models.CheckConstraint(
                condition=Q(superseded__isnull=True) | Q(superseded__gt=F("revision")), name="removal_superseded_later"
            ),
        ]

    def __str__(self) -> str:
        return f"{'kept' if self.keep else 'removed'}: {self.why[:60]}"


def counted(path: str = "", revision: int | None = None) -> Q:
    """The condition that a response counts, or counted as of a revision; path: that to the response."""
    if revision is None:
        return visible(path)
    removed = Removal.objects.removed(revision).filter(selected=True)
    return complete(path) & ~Q(**{f"{path}pk__in": removed.values("response")})
