"""The gold page: how gold stands, its versions, how it came about."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.adjudication.queue import categories_of
from annotate.cases.counts import count_cases
from annotate.gold.counts import count_gold
from annotate.gold.freeze import FreezeError, freeze_gold
from annotate.models import (
    Adjudication,
    Dataset,
    Disagreement,
    GoldEdit,
    GoldLabel,
    GoldVersion,
    Removal,
    Role,
)
from annotate.release.views import describe_releases
from audit.models import Action
from audit.record import record

PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def gold(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    if request.method == "POST":
        fetch_dataset(request.user, pk, Role.ADJUDICATOR)
        return _freeze(request, dataset)
    return _page(request, dataset)


def _freeze(request: MemberRequest, dataset: Dataset) -> HttpResponse:
    try:
        with transaction.atomic():
            version = freeze_gold(dataset, request.POST.get("name", ""), request.user)
            record(request, Action.GOLD_FROZEN, version, detail=str(dataset))
    except FreezeError as error:
        messages.error(request, f"Not frozen: {error}.")
        return _page(request, dataset, status=422)
    messages.success(request, f"{version.name} has {version.labels:,} labels and does not change.")
    return redirect("gold", dataset.pk)


def _page(request: HttpRequest, dataset: Dataset, status: int = 200) -> HttpResponse:
    versions = list(dataset.gold_versions.select_related("created_by"))
    decisions = (
        Adjudication.objects.filter(segment__response__dataset=dataset)
        .select_related("who", "segment__response", "fact")
        .prefetch_related("gold", "edits")
        .order_by("-pk")
    )
    category = request.GET.get("category", "")
    category = category if category in Disagreement.values else ""
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "gold",
        "sources": _by_source(dataset),
        "removed": Removal.objects.removed().filter(response__dataset=dataset).count(),
        "values": dataset.values,
        "versions": versions,
        "changes": _changes_since(dataset, versions[0]) if versions else None,
        "open": count_cases(dataset).total,
        "categories": categories_of(dataset),
        "category": category,
        "page": Paginator(decisions.filter(category=category) if category else decisions, PER_PAGE).get_page(
            request.GET.get("page")
        ),
        "name": request.POST.get("name", f"v{len(versions) + 1}"),
        **describe_releases(dataset),
    }
    return render(request, "release/gold.html", context, status=status)


def _by_source(dataset: Dataset) -> list[dict[str, object]]:
    """Gold in force of responses that were not removed, counted by source: {"label", "n", and per value}."""
    numbers, rows = count_gold(dataset), []
    for source, label in GoldLabel.Source.choices:
        by_value = {value: numbers[source, value] for value, _ in dataset.values}
        if any(by_value.values()):
            rows.append({"label": label, "n": sum(by_value.values()), **by_value})
    return rows


def _changes_since(dataset: Dataset, version: GoldVersion) -> dict[str, int]:
    """Addresses whose gold is new, changed or gone since the version; `corrections` of sentences, new or changed;
    responses that were removed since, or brought back."""
    of_dataset = GoldLabel.objects.of(dataset)
    since = of_dataset.current().filter(revision__gt=version.revision)
    ended = of_dataset.at(version.revision).filter(superseded__isnull=False)
    now = set(since.values_list("segment_id", "fact_id"))
    then = set(ended.values_list("segment_id", "fact_id"))
    then_removed = set(
        Removal.objects.removed(version.revision).filter(response__dataset=dataset).values_list("response")
    )
    now_removed = set(Removal.objects.removed().filter(response__dataset=dataset).values_list("response"))
    corrections = GoldEdit.objects.of(dataset).current().filter(revision__gt=version.revision)
    return {
        "new": len(now - then),
        "changed": len(now & then),
        "gone": len(then - now),
        "corrections": corrections.count(),
        "removed": len(now_removed - then_removed),
        "restored": len(then_removed - now_removed),
    }
