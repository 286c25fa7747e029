"""A benchmark as it is scored: prefixes, each with one true and some false completions (FACTOR §3.1)."""

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q

from annotate.models import Dataset
from factor.models.exclusion import Exclusion
from knowledge.models import Document, KnowledgeSource


class FactorErrorType(models.TextChoices):
    """In what a false completion is wrong (FACTOR §3.1, after FRANK)."""

    ENTITY = "entity", "Entity"
    PREDICATE = "predicate", "Predicate"
    CIRCUMSTANCE = "circumstance", "Circumstance"
    COREFERENCE = "coreference", "Coreference"
    LINK = "link", "Link"


class Benchmark(models.Model):
    """A benchmark of the people of a dataset, who may see and change it by their role there.

    `source`: the knowledge source that it was made from, None where it came as a file. `columns`: the header of that
    file, and `style` how it was written (layout/style.py), so that it goes out as it came in; [] and {} where it was
    made here.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="benchmarks")
    name = models.CharField(max_length=200)
    source = models.ForeignKey(
        KnowledgeSource, null=True, blank=True, on_delete=models.PROTECT, related_name="benchmarks"
    )
    columns = models.JSONField(default=list, blank=True)
    style = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "name"], name="benchmark_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="benchmark_named"),
        ]

    def __str__(self) -> str:
        return self.name


class ExampleQuerySet(models.QuerySet["Example"]):
    def counted(self) -> "ExampleQuerySet":
        """Those that figures are made of: without what somebody left out."""
        return self.exclude(Exists(Exclusion.objects.in_force().filter(example=OuterRef("pk"))))


class Example(models.Model):
    """A prefix and its completions.

    `prefix` is the whole text before the completion; `cut_prefix` the one that the published file gives to be scored
    (`turncated_prefixes`), "" where there is none. `document_key`: of the document that it is from, as a file names it;
    `document` where it is known here; `dated` its date, None where it carries none. `extra`: what the file's row had
    and nothing here tells, by column, as it was written (layout/cells.py).
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="examples")
    position = models.PositiveIntegerField()
    document = models.ForeignKey(Document, null=True, blank=True, on_delete=models.SET_NULL, related_name="examples")
    document_key = models.CharField(max_length=500, blank=True)
    dated = models.DateField(null=True, blank=True)
    prefix = models.TextField(blank=True)
    cut_prefix = models.TextField(blank=True)
    extra = models.JSONField(default=dict, blank=True)

    objects = ExampleQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "position"]
        constraints = [models.UniqueConstraint(fields=["benchmark", "position"], name="example_position_once")]

    def __str__(self) -> str:
        return f"{self.benchmark} {self.position}"

    @property
    def scored_prefix(self) -> str:
        """The prefix that models are given: the published file's own cut where there is one."""
        return self.cut_prefix or self.prefix


class CompletionQuerySet(models.QuerySet["Completion"]):
    def false(self) -> "CompletionQuerySet":
        return self.filter(place__gt=0)


class Completion(models.Model):
    """One of an example's completions: at place 0 the true one, after it the false ones.

    `error_type` of a false one is that of the prompt that brought it, "" where a file does not say.
    """

    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="completions")
    place = models.PositiveSmallIntegerField()
    text = models.TextField()
    error_type = models.CharField(max_length=20, choices=FactorErrorType.choices, blank=True)

    objects = CompletionQuerySet.as_manager()

    class Meta:
        ordering = ["example", "place"]
        constraints = [
            models.UniqueConstraint(fields=["example", "place"], name="completion_place_once"),
            models.CheckConstraint(condition=~Q(text=""), name="completion_not_empty"),
            models.CheckConstraint(condition=Q(place__gt=0) | Q(error_type=""), name="completion_true_has_no_error"),
            models.CheckConstraint(
                condition=Q(error_type__in=["", "entity", "predicate", "circumstance", "coreference", "link"]),
                name="completion_error_known",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]
