"""The table of a dataset's links: filtered, sorted, a page at a time."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value, When

from annotate.models import Dataset, GoldLabel, Label, ReferenceLink
from knowledge.models import Snapshot

PAGE_SIZE = 50
State = Snapshot.State

# The most troubling first.
CONDITIONS = {
    "dead": "Not reached",
    "missing": "Quote not found",
    "waiting": "Fetching",
    "unasked": "Never asked for",
    "frozen": "Frozen",
    "document": "Document",
    "elsewhere": "Not on the web",
}
SORTS = {
    "newest": ("-pk",),
    "address": ("url", "pk"),
    "fetched": (F("snapshot__settled_at").desc(nulls_last=True), "-pk"),
}


CONDITION = Case(
    When(quote_found=False, then=Value("missing")),
    When(document__isnull=False, then=Value("document")),
    When(snapshot__isnull=True, url__istartswith="http", then=Value("unasked")),
    When(snapshot__isnull=True, then=Value("elsewhere")),
    When(snapshot__state=State.FAILED, then=Value("dead")),
    When(snapshot__state=State.DONE, then=Value("frozen")),
    default=Value("waiting"),
    output_field=CharField(),
)


def links_of(dataset: Dataset) -> QuerySet[ReferenceLink]:
    """Those of labels in force on real work, and of current gold."""
    # Asked link by link: most labels have none.
    labels = Label.objects.of(dataset).real().in_force().filter(pk=OuterRef("label"))
    gold = GoldLabel.objects.of(dataset).current().filter(pk=OuterRef("gold"))
    return ReferenceLink.objects.filter(Q(Exists(labels)) | Q(Exists(gold)), response__isnull=True)


def links_with_condition(dataset: Dataset) -> QuerySet[Any]:
    """Each with its `condition`, a key of CONDITIONS, and what it is cited for."""
    links = links_of(dataset).annotate(condition=CONDITION)
    cited = links.select_related(
        "document",
        "snapshot",
        "label__segment__response",
        "label__fact",
        "label__assignment__annotator",
        "gold__segment__response",
        "gold__fact",
    )
    return cited.defer("document__text", "snapshot__text", "label__assignment__draft")


def chosen_links(links: QuerySet[Any], condition: str, sort: str) -> QuerySet[Any]:
    """Of `links_with_condition`, those with a condition ("": all), by one of SORTS (else newest)."""
    if condition in CONDITIONS:
        links = links.filter(condition=condition)
    return links.order_by(*SORTS.get(sort, SORTS["newest"]))


def link_page(dataset: Dataset, condition: str, sort: str, number: str | None) -> dict[str, Any]:
    """One page of links; `condition` is a key of CONDITIONS or "" (all), `sort` one of SORTS (else newest)."""
    links = links_with_condition(dataset)
    counts = dict(links.order_by().values_list("condition").annotate(Count("pk")))
    return {
        "page": Paginator(chosen_links(links, condition, sort), PAGE_SIZE).get_page(number),
        "conditions": [(key, name, counts[key]) for key, name in CONDITIONS.items() if key in counts],
        "all": sum(counts.values()),
        "unasked": counts.get("unasked", 0),
        "condition": condition if condition in CONDITIONS else "",
        "sort": sort if sort in SORTS else "newest",
    }
