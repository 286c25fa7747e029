"""The page that says what a dataset can show, before a run is paid for."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import GoldLabel, Role
from core.errors import DataError
from evaluators.comparison.asked import asked_version
from evaluators.comparison.detectable import USUAL, detectable_of
from evaluators.comparison.leaderboard import LEVELS
from evaluators.comparison.slices import ALL
from stats.power import SimulatedRates

MOST = 0.99


class RatesForm(forms.Form):
    """The evaluators that are imagined."""

    recall = forms.FloatField(
        label="Errors found", min_value=0, max_value=MOST, help_text="The share of the errors that they find."
    )
    false_alarms = forms.FloatField(
        label="False alarms", min_value=0, max_value=MOST, help_text="The share of correct units they call errors."
    )
    correlation = forms.FloatField(
        label="Correlation", min_value=0, max_value=MOST, help_text="How alike their luck is within one prompt."
    )

    def rates(self) -> SimulatedRates:
        return SimulatedRates(**self.cleaned_data)


@require_safe
@vary_on_headers("HX-Request")
def detectable(request: MemberRequest, pk: int) -> HttpResponse:
    """?recall=&false_alarms=&correlation= imagine the evaluators, ?by= names a slicing, ?gold= a frozen version. Where
    a rate cannot be read the usual ones are shown, with what is wrong."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "runs"}
    if GoldLabel.objects.of(dataset).current().exists():
        version = asked_version(request, dataset)
        form = RatesForm(_with_usual(request.GET))
        rates = form.rates() if form.is_valid() else USUAL
        try:
            found = detectable_of(dataset, version, request.GET.get("by") or None, rates)
        except DataError as error:
            raise Http404(str(error)) from error
        page |= {"form": form, "rates": rates, "version": version, "found": found, "tables": _by_level(found)}
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"runs/detectable.html{'#differences' if part else ''}", page)


def _with_usual(query: Mapping[str, str]) -> dict[str, str]:
    """What the link leaves out is as usual."""
    return {name: query.get(name, str(getattr(USUAL, name))) for name in RatesForm.base_fields}


def _by_level(found: dict[str, Any]) -> list[dict[str, Any]]:
    """[{"title", "whole": the row of all units, "rows": those of the slices}]."""
    levels = dict.fromkeys(row["level"] for row in found["results"])
    return [
        {
            "title": LEVELS[level],
            "whole": next(row for row in found["results"] if row["level"] == level and row["slice"] == ALL),
            "rows": [row for row in found["results"] if row["level"] == level and row["slice"] != ALL],
        }
        for level in levels
    ]
