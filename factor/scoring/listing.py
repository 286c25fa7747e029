"""The scorings of a benchmark with how far they are."""

from django.db.models import Count, Q, QuerySet

from annotate.models.leased import Leased
from factor.models import Benchmark, Scoring


def listed(benchmark: Benchmark) -> QuerySet[Scoring]:
    """The latest first; of each `examples`, and how many of them are `settled`."""
    settled = Q(items__state__in=[Leased.State.DONE, Leased.State.FAILED])
    counted = benchmark.scorings.annotate(examples=Count("items"), settled=Count("items", filter=settled))
    return counted.select_related("model__endpoint", "source").order_by("-pk")
