"""The results of a benchmark: how often each model finds the true completion, and whether models differ for sure."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest
from core.table_response import asked_table
from evaluators.charts.respond import chart_response
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.results.asked import ask
from factor.results.charts import charts_of
from factor.results.present import present
from factor.results.shown import heads, rows_of
from stats.factor import RULES


@require_safe
@vary_on_headers("HX-Request")
def benchmark_results(request: MemberRequest, pk: int) -> HttpResponse:
    benchmark = fetch_benchmark(request, pk)
    asked = ask(request, benchmark)
    page: dict[str, Any] = {**page_of(request, benchmark, "results"), "asked": asked, "chosen": asked.chosen}
    if asked.report is not None:
        page |= present(asked.report, asked.chosen)
        table = asked_table(request, page["tables"].values())
        if table is not None:
            return table
        page |= {"heads": heads(), "rules": RULES}
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"factor/results.html{'#results' if part else ''}", page)


@require_safe
def benchmark_results_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    asked = ask(request, fetch_benchmark(request, pk))
    if asked.report is None:
        raise Http404("Nothing is scored yet.")
    charts = charts_of(asked.report, rows_of(asked.report, asked.chosen), asked.chosen)
    chart = next((chart for chart in charts if chart.name == name), None)
    if chart is None:
        raise Http404("There is no such chart of this.")
    return chart_response(request, chart, form)
