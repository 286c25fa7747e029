"""The leaderboard, the report as a file, revisions of gold, and the smallest difference that a dataset can show."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, GoldVersion, Removal, Role
from core.errors import DataError
from core.form_fields import NumberField
from core.table_response import requested_table
from evaluators.comparison.caption import caption_of_report, data_of
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.detectable import detectable_of, usual_rates
from evaluators.comparison.documents import ComparisonFigures, DetectableDifferences, Report
from evaluators.comparison.evaluator_rows import evaluator_rows
from evaluators.comparison.leaderboard import (
    LeaderboardRow,
    LeaderboardState,
    columns_of,
    leaderboard_table,
    levels_of,
    reach_of,
    read_leaderboard_state,
    reference_of,
    rows_of,
    slices_of,
)
from evaluators.comparison.levels import ESTIMATES, level_title
from evaluators.comparison.page_state import read_k, requested_version
from evaluators.comparison.question import question_of
from evaluators.comparison.ready import ComparisonProgress, comparison_of, leaderboard_of
from evaluators.comparison.report import report_as_csv, report_of
from evaluators.comparison.revisions import changed_units, compare_reports
from evaluators.comparison.slices import ALL, SOURCE_OF_GOLD
from evaluators.comparison.study import versions_of
from evaluators.comparison.verdict_text import Standing, pairs_of, standings_of
from evaluators.models import Run
from evaluators.runs.repeats import repeated
from evaluators.subjects.documents import MeanEstimate
from evaluators.subjects.measured import means_over_subjects
from evaluators.subjects.tables import means_table
from stats.power import SimulatedRates

UNITS_A_PAGE = 25
HIGHEST_RATE = 0.99


@require_safe
@vary_on_headers("HX-Request")
def leaderboard(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "leaderboard",
        "has_gold": GoldLabel.objects.of(dataset).current().exists(),
        "has_run": Run.compared(dataset).exists(),
        "active_runs": Run.objects.active().filter(dataset=dataset, edits=False).count(),
    }
    if page["has_gold"]:
        version = requested_version(request, dataset)
        report = leaderboard_of(dataset, version, read_k(request.GET))
        if isinstance(report, ComparisonProgress):
            page |= {"progress": report, "queue": ComparisonJob.queue.value}
        else:
            page |= _leaderboard(request, dataset, report, version)
            table = requested_table(request, [page["table"], page["means_table"]])
            if table is not None:
                return table
        page |= {"version": version, "versions": versions_of(dataset), "removed": _removed(dataset, version)}
        page["repeated"] = repeated(dataset)
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/leaderboard.html{'#leaderboard' if part else ''}", page)


@require_safe
def report_json(request: MemberRequest, pk: int) -> HttpResponse:
    """?gold= names a frozen version, ?k= is K of F1@K."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    report = report_of(dataset, requested_version(request, dataset), read_k(request.GET))
    download = {"Content-Disposition": f'attachment; filename="report-{dataset.pk}.json"'}
    return JsonResponse(report, json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=download)


@require_safe
def report_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """As report_json."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    report = report_of(dataset, requested_version(request, dataset), read_k(request.GET))
    download = {"Content-Disposition": f'attachment; filename="report-{dataset.pk}.csv"'}
    return HttpResponse(
        "\n".join(report_as_csv(report)) + "\n", content_type="text/csv; charset=utf-8", headers=download
    )


def _removed(dataset: Dataset, version: GoldVersion | None) -> int:
    """The number of responses that experts had removed by then: no figure counts them."""
    return Removal.objects.removed(version.revision if version else None).filter(response__dataset=dataset).count()


def _leaderboard(
    request: MemberRequest, dataset: Dataset, report: Report, version: GoldVersion | None
) -> dict[str, Any]:
    state = read_leaderboard_state(request.GET, report, request.GET.getlist("column"), read_k(request.GET))
    rows = rows_of(report, state)
    slices = slices_of(report, state.level)
    found = _comparison(dataset, version, state, slices)
    document = None if isinstance(found, ComparisonProgress) else found
    standings = _standings(document) if document else {}
    human = document["human"][ALL]["f1"] if document else None
    reference = reference_of(report, state)
    reach = reach_of(rows) if state.level == ESTIMATES else 0.0
    means = _means(report, rows, state)
    return {
        "means": means,
        "means_table": means_table(means, data_of(dataset.name, version.name if version else None)),
        "state": state,
        "rows": rows,
        "standings": standings,
        "ranks_pending": isinstance(found, ComparisonProgress),
        "all_columns": columns_of(report["evaluators"]),
        "table": leaderboard_table(rows, state, standings, _caption(report, rows, state)),
        "noise_unmeasured": [row for row in rows if row.entry["run_noise_unmeasured"]],
        "any_evaluator": any(not row.baseline for row in rows),
        "levels": [(level, level_title(level, dataset.scheme)) for level in levels_of(report)],
        "slices": slices,
        "chosen": state,
        "reference": reference,
        "human": human,
        "marks": [reference, human],
        "zero": [0.0],
        "least": -reach,
        "most": reach,
    }


def _means(report: Report, rows: Sequence[LeaderboardRow], state: LeaderboardState) -> list[MeanEstimate]:
    """The means over subjects of the evaluators in the rows; none where a subject is chosen, or there is only one."""
    shown = {row.name for row in rows}
    found = means_over_subjects(report) if (state.level, state.slice) == (ESTIMATES, ALL) else []
    return [each for each in found if each["evaluator"] in shown]


def _caption(report: Report, rows: Sequence[LeaderboardRow], state: LeaderboardState) -> str:
    n = None if state.of_subjects or not rows else rows[0].figures["n"]
    of_k = f", {state.k_in_words}" if state.of_subjects else ""
    return caption_of_report(report, state.title + (f", {state.slice}" if state.slice != ALL else "") + of_k, n)


def _comparison(
    dataset: Dataset, version: GoldVersion | None, state: LeaderboardState, slices: Sequence[str]
) -> ComparisonFigures | ComparisonProgress | None:
    """The comparison over the same units, with ranks and people; None of figures of subject models, which have none.
    slices: all of the level in the report."""
    if state.of_subjects:
        return None
    of_state = () if state.slice == ALL else (state.slice,)
    usual = question_of(dataset, level=state.level, slices=of_state)
    # Every level is parted by the source of its gold, also where no response has a domain or subject.
    question = replace(usual, slicing=SOURCE_OF_GOLD) if list(slices) == [ALL] else usual
    return comparison_of(dataset, version, question)


def _standings(document: ComparisonFigures) -> dict[str, Standing]:
    """Empty where nothing is ranked."""
    lines = evaluator_rows(document, dict.fromkeys(each["run"] for each in document["evaluators"] if each["run"]))
    return standings_of(lines, pairs_of(document), document["question"]["figure"])


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
