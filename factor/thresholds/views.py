"""The pages of the filters' thresholds: drawing candidates, labelling them blind, and what the labels choose."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest
from annotate.models import Role, User
from core.numbers import read_number
from core.table_response import requested_table
from evaluators.charts.respond import chart_response
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.models import Benchmark, BenchmarkBuild, FactorErrorType, ThresholdSample
from factor.thresholds.adopt import form_of_next, kept_under, with_thresholds
from factor.thresholds.charts import sweep_chart
from factor.thresholds.draw import draw_sample, population
from factor.thresholds.forms import ThresholdDrawForm
from factor.thresholds.sweeps import study
from factor.thresholds.tables import tables_of

A_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
def filter_thresholds(request: MemberRequest, pk: int) -> HttpResponse:
    """The latest sample (`?sample=`: another) and, once its labels are in, its sweeps; adjudicators draw another.

    `?table=` answers with a table to copy."""
    benchmark = fetch_benchmark(request, pk, *([Role.ADJUDICATOR] if request.method == "POST" else []))
    build = build_of(benchmark)
    form = ThresholdDrawForm(request.POST if request.method == "POST" else None)
    if build is not None:
        drawn = form.draw(partial(draw_sample, build, created_by=request.user))
        if drawn is not None:
            messages.success(request, f"{drawn.size} candidates drawn (seed {drawn.seed}).")
            return redirect(f"{reverse('filter-thresholds', args=[pk])}?sample={drawn.pk}")
    shown = _asked_sample(request, build)
    page = {
        **page_of(request, benchmark, "thresholds"),
        "build": build,
        "form": form,
        "population": 0 if build is None else population(build).count(),
        "sample": shown,
        "samples": [] if build is None else build.threshold_samples.select_related("created_by"),
    }
    if shown is None or not shown.is_complete():
        page |= _progress(shown)
        return render(request, "factor/thresholds.html", page, status=422 if form.is_bound else 200)
    found = study(shown)
    tables = tables_of(found)
    proposed = with_thresholds(found.settings, found.proposed())
    page |= {
        "study": found,
        "tables": {table.name: table for table in tables},
        "charts": [sweep_chart(each) for each in found.sweeps if each.samples],
        "types": dict(FactorErrorType.choices),
        "page": Paginator(found.items, A_PAGE).get_page(request.GET.get("page")),
        "proposed": found.proposed(),
        "kept": kept_under(shown.build, found.settings),
        "would_keep": kept_under(shown.build, proposed),
        "carried": form_of_next(shown.build, found.settings),
    }
    return requested_table(request, tables) or render(
        request, "factor/thresholds.html", page, status=422 if form.is_bound else 200
    )


@require_safe
def filter_thresholds_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    """The sweep of this name as a chart, of the sample that the page shows."""
    shown = _asked_sample(request, build_of(fetch_benchmark(request, pk)))
    swept = [] if shown is None or not shown.is_complete() else study(shown).sweeps
    found = next((each for each in swept if each.name == name and each.samples), None)
    if found is None:
        raise Http404("This page has no such chart.")
    return chart_response(request, sweep_chart(found), form)


def build_of(benchmark: Benchmark) -> BenchmarkBuild | None:
    """None where the benchmark came as a file."""
    return BenchmarkBuild.objects.select_related("benchmark").filter(benchmark=benchmark).first()


def _asked_sample(request: MemberRequest, build: BenchmarkBuild | None) -> ThresholdSample | None:
    """The sample that the query string names, else the latest; None where there is none yet."""
    if build is None:
        return None
    samples = ThresholdSample.objects.filter(build=build).select_related("build__benchmark", "created_by")
    asked = request.GET.get("sample", "")
    if not asked:
        return samples.first()
    key = read_number(asked)
    found = None if key is None else samples.filter(pk=key).first()
    if found is None:
        raise Http404("There is no such sample of this benchmark.")
    return found


def _progress(sample: ThresholdSample | None) -> dict[str, Any]:
    if sample is None:
        return {}
    labels = sample.ratings_by_rater()
    people = User.objects.filter(pk__in=labels.keys()).order_by("username")
    return {
        "people": [(person.username, labels[person.pk]) for person in people],
        "labelled": sum(labels.values()),
    }
