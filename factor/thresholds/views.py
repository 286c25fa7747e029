"""The pages of the filters' thresholds: drawing candidates, labelling them blind, and the thresholds chosen."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.models import Role
from annotate.people.names import Names, names_for
from core.numbers import read_number
from core.table_response import requested_table
from evaluators.charts.respond import requested_chart
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.models import Benchmark, BenchmarkBuild, FactorErrorType, ThresholdItem, ThresholdSample
from factor.thresholds.adopt import form_of_next, kept_under, with_thresholds
from factor.thresholds.draw import draw_sample, population
from factor.thresholds.forms import QUESTIONS, ThresholdDrawForm, ThresholdLabelForm
from factor.thresholds.report import charts_of, tables_of
from factor.thresholds.sweeps import ThresholdResults, results_of
from factor.validation.reading import CompletionReading, read_for
from ratings.pages import RatingPage
from ratings.progress import progress_of

A_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
def filter_thresholds(request: MemberRequest, pk: int) -> HttpResponse:
    """The latest sample (or `?sample=`), and its sweeps once its labels are in; adjudicators draw another.

    `?table=` answers with a table to copy."""
    benchmark = fetch_benchmark(request, pk, *([Role.ADJUDICATOR] if request.method == "POST" else []))
    build = build_of(benchmark)
    form = ThresholdDrawForm(request.POST if request.method == "POST" else None)
    if build is not None:
        drawn = form.draw(partial(draw_sample, build, created_by=request.user))
        if drawn is not None:
            messages.success(request, f"{drawn.size} candidates drawn (seed {drawn.seed}).")
            return redirect(f"{reverse('filter-thresholds', args=[pk])}?sample={drawn.pk}")
    sample, names = _requested_sample(request, build), _names(request, benchmark)
    page = {
        **page_of(request, benchmark, "thresholds"),
        "build": build,
        "form": form,
        "population": 0 if build is None else population(build).count(),
        "sample": sample,
        "samples": [] if build is None else build.threshold_samples.select_related("created_by"),
    }
    answer = None
    if sample is not None and sample.is_complete():
        results = results_of(sample)
        page |= _results_page(request, sample, results, names)
        answer = requested_table(request, tables_of(sample, results, names))
    elif sample is not None:
        page["progress"] = progress_of(sample, names.of)
    return answer or render(request, "factor/thresholds.html", page, status=422 if form.is_bound else 200)


def _names(request: MemberRequest, benchmark: Benchmark) -> Names:
    return names_for(role_in(request.user, benchmark.dataset), benchmark.dataset)


def _results_page(
    request: MemberRequest, sample: ThresholdSample, results: ThresholdResults, names: Names
) -> dict[str, Any]:
    settings, proposed = results.settings, results.proposed()
    return {
        "results": results,
        "tables": {table.name: table for table in tables_of(sample, results, names)},
        "charts": charts_of(results),
        "types": dict(FactorErrorType.choices),
        "page": Paginator(results.items, A_PAGE).get_page(request.GET.get("page")),
        "proposed": proposed,
        "kept": kept_under(sample.build, settings),
        "would_keep": kept_under(sample.build, with_thresholds(settings, proposed)),
        "carried": form_of_next(sample.build, settings),
    }


@require_safe
def filter_thresholds_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    """The sweep of this name as a chart, of the sample that the page shows."""
    sample = _requested_sample(request, build_of(fetch_benchmark(request, pk)))
    charts = [] if sample is None or not sample.is_complete() else charts_of(results_of(sample))
    return requested_chart(request, charts, name, form)


def build_of(benchmark: Benchmark) -> BenchmarkBuild | None:
    """The build of the benchmark; None where the benchmark came as a file."""
    return BenchmarkBuild.objects.select_related("benchmark").filter(benchmark=benchmark).first()


def _requested_sample(request: MemberRequest, build: BenchmarkBuild | None) -> ThresholdSample | None:
    """The sample that the query string names, else the latest; None where there is none yet."""
    if build is None:
        return None
    samples = ThresholdSample.objects.filter(build=build).select_related("build__benchmark", "created_by")
    query = request.GET.get("sample", "")
    if not query:
        return samples.first()
    key = read_number(query)
    sample = None if key is None else samples.filter(pk=key).first()
    if sample is None:
        raise Http404("There is no such sample of this benchmark.")
    return sample


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def threshold_label(request: MemberRequest, pk: int) -> HttpResponse:
    samples = ThresholdSample.objects.select_related("build__benchmark__dataset")
    return ThresholdPage(request, fetch_in_dataset(request.user, samples, pk, "build.benchmark.dataset")).respond()


class ThresholdPage(RatingPage[ThresholdItem]):
    template = "factor/threshold_label.html"
    form_class = ThresholdLabelForm
    questions = QUESTIONS
    missing = "There is no such candidate in this sample."

    def context(self, item: ThresholdItem | None) -> dict[str, Any]:
        benchmark = self.sample.build.benchmark
        return {
            "dataset": benchmark.dataset,
            "role": role_in(self.rater, benchmark.dataset),
            "tab": "benchmarks",
            "benchmark": benchmark,
            "labelled": self.sample.ratings().count(),
            "reading": None if item is None else _reading(item),
        }


def _reading(item: ThresholdItem) -> CompletionReading:
    of = item.candidate.item
    return read_for(of.prefix, of.sentence, item.candidate.text)
