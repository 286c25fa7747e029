"""The results of a benchmark: how often each model finds the true completion, and whether models differ for sure."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from annotate.access import MemberRequest
from core.table_response import requested_table
from evaluators.charts.respond import chart_response
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.results.charts import charts_of
from factor.results.page_state import ResultsState, read_request
from factor.results.report_types import FactorReport, PartKind
from factor.results.scoring_rows import heads, matrix_of, retrieval_pairs, rows_of
from factor.results.tables import PARTED, groups_of, tables_of
from stats.factor import RULES

# A larger table of pairs needs a click.
MOST_IN_MATRIX = 12


@require_safe
@vary_on_headers("HX-Request")
def benchmark_results(request: MemberRequest, pk: int) -> HttpResponse:
    benchmark = fetch_benchmark(request, pk)
    results = read_request(request, benchmark)
    page: dict[str, Any] = {**page_of(request, benchmark, "results"), "results": results, "state": results.state}
    if results.report is not None:
        page |= present(results.report, results.state)
        table = requested_table(request, page["tables"].values())
        if table is not None:
            return table
        page |= {"heads": heads(), "rules": RULES}
    part = request.htmx and not request.htmx.history_restore_request
    if part and results.report is None:
        return HttpResponseClientRefresh()
    return render(request, f"factor/results.html{'#results' if part else ''}", page)


@require_safe
def benchmark_results_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    results = read_request(request, fetch_benchmark(request, pk))
    if results.report is None:
        raise Http404("Nothing is scored yet.")
    charts = charts_of(results.report, rows_of(results.report, results.state), results.state)
    chart = next((chart for chart in charts if chart.name == name), None)
    if chart is None:
        raise Http404("No such chart.")
    return chart_response(request, chart, form)


def present(report: FactorReport, state: ResultsState) -> dict[str, Any]:
    rows = rows_of(report, state)
    tables = tables_of(report, rows, state)
    shows_matrix = state.every_pair or len(rows) <= MOST_IN_MATRIX
    return {
        "report": report,
        "rows": rows,
        "tables": tables,
        "charts": charts_of(report, rows, state),
        "matrix": matrix_of(report["pairs"], rows) if shows_matrix else None,
        "retrieval": retrieval_pairs(report["retrieval"], report["scorings"]),
        "parted": [_parted(kind, report) | {"table": tables[kind]} for kind in PARTED],
        "names": {each["scoring"]: each["name"] for each in report["scorings"]},
    }


def _parted(kind: PartKind, report: FactorReport) -> dict[str, Any]:
    """A table of scorings by groups: `groups` its columns, `lines` the name and figures of each scoring."""
    title, _, names = PARTED[kind]
    groups = groups_of(report, kind)
    lines = []
    for each in report["scorings"]:
        parts = {part["name"]: part for part in each[kind]}
        lines.append((each, [parts.get(group) for group in groups]))
    return {"kind": kind, "title": title, "groups": [names[group] for group in groups], "lines": lines}
