"""A data set and the guidelines its annotators work by."""

from django.db import models
from django.db.models import F, Q

from annotate.models.values import default_error_types


class Scheme(models.TextChoices):
    FELM = "felm", "FELM: segments"
    FACTSCORE = "factscore", "FActScore: atomic facts"


class DatasetQuerySet(models.QuerySet["Dataset"]):
    def ready(self) -> "DatasetQuerySet":
        """Those whose first import is complete (or that were made by hand)."""
        return self.filter(ready=True)

    def of(self, user) -> "DatasetQuerySet":  # type: ignore[no-untyped-def]
        """Those the person may open."""
        ready = self.ready()
        return ready if user.is_superuser else ready.filter(memberships__user=user)


class Dataset(models.Model):
    """Responses labelled under one scheme.

    `gold_revision` counts the changes of gold: every GoldLabel carries the revision that brought it in and the one that
    superseded it, so gold as of any revision can be read back (annotate/gold/).
    """

    name = models.CharField(max_length=100, unique=True)
    scheme = models.CharField(max_length=20, choices=Scheme.choices)
    description = models.TextField(blank=True)
    error_types = models.JSONField(default=default_error_types)
    overlap = models.FloatField(default=1.0, help_text="Share of tasks that want two annotators.")
    gold_revision = models.PositiveIntegerField(default=0)
    ready = models.BooleanField(default=False, help_text="False while the import that makes it has not finished.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DatasetQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(scheme__in=Scheme.values), name="dataset_scheme_known"),
            models.CheckConstraint(condition=Q(overlap__gte=0) & Q(overlap__lte=1), name="dataset_overlap_is_share"),
            models.CheckConstraint(condition=~Q(name=""), name="dataset_named"),
        ]

    def __str__(self) -> str:
        return self.name

    def next_gold_revision(self) -> int:
        """Count one change of gold and return its number; the row stays locked until the transaction ends."""
        Dataset.objects.filter(pk=self.pk).update(gold_revision=F("gold_revision") + 1)
        self.refresh_from_db(fields=["gold_revision"])
        return self.gold_revision


class Guideline(models.Model):
    """One version of a dataset's guidelines; a label keeps the version it was made under."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset", "-version"]
        constraints = [models.UniqueConstraint(fields=["dataset", "version"], name="guideline_version_once")]

    def __str__(self) -> str:
        return f"{self.dataset} guidelines, version {self.version}"
