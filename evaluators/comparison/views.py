"""The report as a file, revisions of gold, and the smallest difference that a dataset can show."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import GoldLabel, GoldVersion, Role
from core.downloads import download_csv
from core.errors import DataError
from core.form_fields import NumberField
from evaluators.comparison.detectable import detectable_of, usual_rates
from evaluators.comparison.documents import DetectableDifferences
from evaluators.comparison.levels import level_title
from evaluators.comparison.page_state import read_k, requested_version
from evaluators.comparison.report import report_as_csv, report_of
from evaluators.comparison.revisions import changed_units, compare_reports
from evaluators.comparison.slices import ALL
from stats.power import SimulatedRates

UNITS_A_PAGE = 25
HIGHEST_RATE = 0.99


@require_safe
def report_json(request: MemberRequest, pk: int) -> HttpResponse:
    """?gold= names a frozen version, ?k= is K of F1@K."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    report = report_of(dataset, requested_version(request, dataset), read_k(request.GET))
    download = {"Content-Disposition": f'attachment; filename="report-{dataset.pk}.json"'}
    return JsonResponse(report, json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=download)


@require_safe
def report_csv(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """As report_json."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    report = report_of(dataset, requested_version(request, dataset), read_k(request.GET))
    return download_csv(report_as_csv(report), f"report-{dataset.pk}.csv")


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
            "page": Paginator(units, UNITS_A_PAGE).get_page(request.GET.get("page")),
        }
    return render(request, "comparison/revisions.html", context)


def _named(versions: list[GoldVersion], name: str) -> GoldVersion | None:
    """The version of that name; None if none is named."""
    if not name:
        return None
    version_named = next((version for version in versions if version.name == name), None)
    if version_named is None:
        raise Http404("No such version of gold.")
    return version_named


class RatesForm(forms.Form):
    """The evaluators that are imagined."""

    recall = forms.FloatField(
        label="Errors found", min_value=0, max_value=HIGHEST_RATE, help_text="Share of errors that they find."
    )
    false_alarms = forms.FloatField(
        label="False alarms",
        min_value=0,
        max_value=HIGHEST_RATE,
        help_text="Share of correct units called errors.",
    )
    correlation = forms.FloatField(
        label="Correlation", min_value=0, max_value=HIGHEST_RATE, help_text="Correlation of results within a prompt."
    )

    shared = forms.FloatField(
        label="Shared correlation",
        min_value=0,
        max_value=HIGHEST_RATE,
        help_text="Correlation of two evaluators on the same prompts.",
    )
    comparisons = NumberField(
        label="Comparisons", min_value=1, max_value=999_999, help_text="Number of pairs tested together."
    )

    def rates(self) -> SimulatedRates:
        return SimulatedRates(**self.cleaned_data)


@require_safe
@vary_on_headers("HX-Request")
def detectable(request: MemberRequest, pk: int) -> HttpResponse:
    """?recall=&false_alarms=&correlation=&shared=&comparisons= describe the simulated evaluators, ?by= names a slicing,
    ?gold= a frozen version. Where a rate cannot be read the usual ones are shown, with the error."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "runs"}
    if GoldLabel.objects.of(dataset).current().exists():
        version = requested_version(request, dataset)
        usual = usual_rates(dataset)
        form = RatesForm(_with_usual(request.GET, usual))
        rates = form.rates() if form.is_valid() else usual
        try:
            differences = detectable_of(dataset, version, request.GET.get("by") or None, rates)
        except DataError as error:
            raise Http404(str(error)) from error
        page |= {
            "form": form,
            "rates": rates,
            "version": version,
            "differences": differences,
            "tables": _by_level(differences, dataset.scheme),
        }
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"runs/detectable.html{'#differences' if part else ''}", page)


def _with_usual(query: Mapping[str, str], usual: SimulatedRates) -> dict[str, str]:
    """The fields of the link, with the usual values for missing ones."""
    return {name: query.get(name, str(getattr(usual, name))) for name in RatesForm.base_fields}


def _by_level(differences: DetectableDifferences, scheme: str) -> list[dict[str, Any]]:
    """[{"title", "whole": the row of all units, "rows": those of the slices}]."""
    levels = dict.fromkeys(row["level"] for row in differences["results"])
    return [
        {
            "title": level_title(level, scheme),
            "whole": next(row for row in differences["results"] if row["level"] == level and row["slice"] == ALL),
            "rows": [row for row in differences["results"] if row["level"] == level and row["slice"] != ALL],
        }
        for level in levels
    ]
