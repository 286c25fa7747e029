"""The benchmarks of a dataset, each with its sizes."""

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.models import Dataset
from factor.models import Benchmark, Completion, Example, Scoring


def benchmarks_of(dataset: Dataset) -> QuerySet[Benchmark]:
    """The latest first; each with the numbers `sized` (its examples), `false` (their false completions) and `scored`
    (the finished passes of models over it)."""
    return (
        Benchmark.objects.filter(dataset=dataset)
        .select_related("source", "created_by")
        .annotate(
            sized=_number(Example.objects.filter(benchmark=OuterRef("pk")), "benchmark"),
            false=_number(Completion.objects.false().filter(example__benchmark=OuterRef("pk")), "example__benchmark"),
            scored=_number(Scoring.objects.finished().filter(benchmark=OuterRef("pk")), "benchmark"),
        )
    )


def _number(of: QuerySet[Example] | QuerySet[Completion] | QuerySet[Scoring], by: str) -> Coalesce:
    counted = of.order_by().values(by).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
