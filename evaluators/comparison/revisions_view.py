"""The page that says what a revision of gold did to the figures."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import GoldVersion, Role
from evaluators.comparison.cached import report_of
from evaluators.comparison.revisions import changed_units, compare_reports

PER_PAGE = 25


@require_safe
def revisions(request: MemberRequest, pk: int) -> HttpResponse:
    """?from= names a frozen version (else the last one), ?to= a later one (else gold in force)."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    versions = list(dataset.gold_versions.order_by("-revision", "-pk"))
    before = _named(versions, request.GET.get("from", "")) or (versions[0] if versions else None)
    after = _named(versions, request.GET.get("to", ""))
    context: dict[str, object] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "revisions",
        "versions": versions,
        "before": before,
        "after": after,
    }
    if before is not None:
        rows = compare_reports(report_of(dataset, before), report_of(dataset, after))
        units = changed_units(dataset, before, after)
        context |= {
            "moved": [row for row in rows if row.has_moved],
            "unmoved": sum(not row.has_moved for row in rows),
            "changed": len(units),
            "page": Paginator(units, PER_PAGE).get_page(request.GET.get("page")),
        }
    return render(request, "comparison/revisions.html", context)


def _named(versions: list[GoldVersion], name: str) -> GoldVersion | None:
    """The version of that name; None if none is named."""
    if not name:
        return None
    found = next((version for version in versions if version.name == name), None)
    if found is None:
        raise Http404("No such version of gold.")
    return found
