"""Stage attribution: the same evaluator with gold facts, gold passages or another judge swapped in."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import GoldLabel, Role
from core.table_response import requested_table
from evaluators.charts.respond import chart_response
from evaluators.comparison.caption import data_of_scope
from evaluators.comparison.levels import gold_levels
from evaluators.comparison.page_state import requested_version
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import study_of, versions_of
from evaluators.runs.repeats import repeated
from evaluators.stages.charts import charts_of
from evaluators.stages.present import STAGE_NAMES, table_of
from evaluators.stages.read import find


@require_safe
def stages(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "stages"}
    page["has_gold"] = GoldLabel.objects.of(dataset).current().exists()
    if page["has_gold"]:
        version = requested_version(request, dataset)
        study = study_of(dataset, version)
        findings = find(study, request.GET.get("stage", ""))
        table = table_of(findings.swaps, data_of_scope(study, gold_levels(study.table)[0].name, ALL))
        taken = requested_table(request, [table])
        if taken is not None:
            return taken
        page |= {
            "findings": findings,
            "table": table,
            "charts": charts_of(findings.chains, findings.swaps, findings.references),
            "stages": STAGE_NAMES,
            "stage": request.GET.get("stage", ""),
            "version": version,
            "versions": versions_of(dataset),
            "repeated": repeated(dataset),
        }
    return render(request, "stages/stages.html", page)


@require_safe
def stages_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    findings = find(study_of(dataset, requested_version(request, dataset)), request.GET.get("stage", ""))
    chart = next(
        (chart for chart in charts_of(findings.chains, findings.swaps, findings.references) if chart.name == name), None
    )
    if chart is None:
        raise Http404("This page has no such chart.")
    return chart_response(request, chart, form)
