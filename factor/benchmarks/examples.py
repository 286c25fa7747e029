"""The examples of a benchmark, narrowed and in an order."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from factor.models import Benchmark, Completion, Example, FactorErrorType

ORDERS = {
    "": "As in the benchmark",
    "newest": "Newest document first",
    "oldest": "Oldest document first",
    "document": "By document",
}
# Examples without a date come last either way.
_COLUMNS = {
    "newest": F("dated").desc(nulls_last=True),
    "oldest": F("dated").asc(nulls_last=True),
    "document": F("document_key").asc(),
}


@dataclass(frozen=True)
class ExampleFilter:
    """The filter of a query string; "" and None do not filter.

    `words`: in the prefix or in a completion. `error_type`: of one of the false completions; "none" where one has no
    type. `document`: a key. The document's date is `since` that day or later, `until` that day or before; either leaves
    out examples without a date.
    """

    words: str = ""
    error_type: str = ""
    document: str = ""
    since: date | None = None
    until: date | None = None
    order: str = ""

    @property
    def is_any(self) -> bool:
        return bool(self.words or self.error_type or self.document or self.since or self.until)


def examples_of(benchmark: Benchmark, wanted: ExampleFilter) -> QuerySet[Example]:
    """The examples that fit, each with its completions."""
    examples = benchmark.examples.all()
    completions = Completion.objects.filter(example=OuterRef("pk"))
    if wanted.words:
        with_words = completions.filter(text__icontains=wanted.words)
        examples = examples.filter(Q(prefix__icontains=wanted.words) | Exists(with_words))
    if wanted.error_type:
        error_type = "" if wanted.error_type == "none" else wanted.error_type
        examples = examples.filter(Exists(completions.false().filter(error_type=error_type)))
    if wanted.document:
        examples = examples.filter(document_key=wanted.document)
    if wanted.since:
        examples = examples.filter(dated__gte=wanted.since)
    if wanted.until:
        examples = examples.filter(dated__lte=wanted.until)
    column = _COLUMNS.get(wanted.order)
    ordered = examples.order_by(*([column] if column else []), "position")
    return ordered.prefetch_related("completions", "exclusions")


@dataclass(frozen=True)
class BenchmarkFacts:
    """The sizes of a benchmark. `types`: false completions of each error type; without a type under "not said".
    `undated`: examples without a date. `oldest` and `newest` are None where all are undated."""

    examples: int
    documents: int
    undated: int
    oldest: date | None
    newest: date | None
    types: list[tuple[str, int]]


def facts_of(benchmark: Benchmark) -> BenchmarkFacts:
    totals = benchmark.examples.aggregate(
        examples=Count("pk"),
        documents=Count("document_key", distinct=True, filter=~Q(document_key="")),
        with_date=Count("dated"),
        oldest=Min("dated"),
        newest=Max("dated"),
    )
    falses = Completion.objects.false().filter(example__benchmark=benchmark)
    counted = dict(falses.order_by().values_list("error_type").annotate(number=Count("pk")))
    labels = {**dict(FactorErrorType.choices), "": "Not given"}
    return BenchmarkFacts(
        undated=totals["examples"] - totals.pop("with_date"),
        types=[(label, counted[value]) for value, label in labels.items() if value in counted],
        **totals,
    )
