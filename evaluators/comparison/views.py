"""The leaderboard, and the report to take away."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, GoldVersion, Removal, Role
from core.table_response import asked_table
from evaluators.comparison.asked import asked_version, versions_of
from evaluators.comparison.cached import report_of
from evaluators.comparison.human import human_f1
from evaluators.comparison.leaderboard import (
    ESTIMATES,
    LEVELS,
    Document,
    levels_of,
    reach_of,
    read_choice,
    reference_of,
    rows_of,
    slices_of,
)
from evaluators.comparison.leaderboard_table import board_table
from evaluators.comparison.spreadsheet import report_as_csv
from evaluators.models import Run


@require_safe
@vary_on_headers("HX-Request")
def leaderboard(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "leaderboard",
        "has_gold": GoldLabel.objects.of(dataset).current().exists(),
        "has_run": Run.objects.finished().filter(dataset=dataset).exists(),
        "active_runs": Run.objects.active().filter(dataset=dataset).count(),
    }
    if page["has_gold"]:
        version = asked_version(request, dataset)
        page |= _board(request, dataset, report_of(dataset, version))
        table = asked_table(request, [page["table"]])
        if table is not None:
            return table
        page |= {"version": version, "versions": versions_of(dataset), "removed": _removed(dataset, version)}
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/leaderboard.html{'#board' if part else ''}", page)


@require_safe
def report_json(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    report = report_of(dataset, asked_version(request, dataset))
    download = {"Content-Disposition": f'attachment; filename="report-{dataset.pk}.json"'}
    return JsonResponse(report, json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=download)


@require_safe
def report_csv(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    report = report_of(dataset, asked_version(request, dataset))
    download = {"Content-Disposition": f'attachment; filename="report-{dataset.pk}.csv"'}
    return HttpResponse(
        "\n".join(report_as_csv(report)) + "\n", content_type="text/csv; charset=utf-8", headers=download
    )


def _removed(dataset: Dataset, version: GoldVersion | None) -> int:
    """How many responses the experts had taken out of the data set by then: no figure counts them."""
    return Removal.objects.removed(version.revision if version else None).filter(response__dataset=dataset).count()


def _board(request: MemberRequest, dataset: Dataset, report: Document) -> dict[str, Any]:
    choice = read_choice(request.GET, report)
    rows = rows_of(report, choice)
    reference = reference_of(report, choice)
    human = human_f1(dataset, choice)
    reach = reach_of(rows) if choice.level == ESTIMATES else 0.0
    return {
        "choice": choice,
        "rows": rows,
        "table": board_table(rows, choice),
        "found": any(not row.baseline for row in rows),
        "levels": [(level, LEVELS[level]) for level in levels_of(report)],
        "slices": slices_of(report, choice.level),
        "reference": reference,
        "human": human,
        "marks": [reference, human],
        "zero": [0.0],
        "least": -reach,
        "most": reach,
    }
