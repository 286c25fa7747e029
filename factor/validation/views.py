"""The pages of a benchmark's validation: the draw of a sample, its progress, its results once all ratings are in."""

from functools import partial

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.models import Role
from annotate.people.names import Names, names_for
from core.table_response import requested_table
from factor.benchmarks.page import READERS, fetch_benchmark, page_of
from factor.models import Benchmark, Exclusion, Validation
from factor.models.exclusion import ExclusionQuerySet
from factor.validation.agreement import COEFFICIENTS
from factor.validation.draw import draw_validation, population
from factor.validation.forms import ValidationDrawForm
from factor.validation.read import read_completions
from factor.validation.report import build_report, is_amiss
from factor.validation.tables import PROPERTIES, QUESTIONS, TYPES, confusion_of, export_lines, tables_of
from ratings.pages import download_ratings
from ratings.progress import progress_of, with_counts

A_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def validations(request: MemberRequest, pk: int) -> HttpResponse:
    """Every sample of the benchmark, and the examples that are left out; adjudicators draw another."""
    benchmark = fetch_benchmark(request, pk, *([Role.ADJUDICATOR] if request.method == "POST" else []))
    form = ValidationDrawForm(request.POST if request.method == "POST" else None)
    drawn = form.draw(partial(draw_validation, benchmark, created_by=request.user))
    if drawn is not None:
        notice = f"{drawn.size} examples drawn (seed {drawn.seed}). Annotators find them as completions to rate."
        messages.success(request, notice)
        return redirect("validation", drawn.pk)
    form.fields["size"].help_text = f"Of {population(benchmark).count():,} with a false completion."
    samples = with_counts(benchmark.validations.select_related("created_by").order_by("-pk"), request.user)
    context = {
        "samples": [(sample, vars(sample)["item_count"] * sample.raters) for sample in samples],
        "form": form,
        "exclusions": Paginator(_exclusions(benchmark), A_PAGE).get_page(request.GET.get("page")),
    }
    page = page_of(request, benchmark, "validation")
    return render(request, "factor/validations.html", {**page, **context}, status=422 if form.is_bound else 200)


@require_safe
def validation(request: MemberRequest, pk: int) -> HttpResponse:
    """The progress of the sample, and its tables once all ratings are in; `?table=` answers with a table to copy."""
    sample = fetch_validation(request, pk)
    page = {**page_of(request, sample.benchmark, "validation"), "validation": sample, "properties": PROPERTIES}
    if not sample.is_complete():
        members = sample.benchmark.dataset.memberships.filter(role=Role.ANNOTATOR, user__is_active=True)
        progress = progress_of(sample, _names(request, sample).of, set(members.values_list("user", flat=True)))
        return render(request, "factor/validation_progress.html", {**page, "progress": progress})
    completions = read_completions(sample)
    report = build_report(sample, completions, _names(request, sample))
    tables = list(tables_of(report))
    amiss = [each for each in completions if is_amiss(each.outcome)]
    context = {
        "report": report,
        "tables": {table.name.replace("-", "_"): table for table in tables},
        "confusion": confusion_of(report),
        "page": Paginator(amiss, A_PAGE).get_page(request.GET.get("page")),
        "left_out": dict(_exclusions(sample.benchmark).values_list("example", "reason")),
        "types": TYPES,
        "questions": QUESTIONS,
        "coefficients": COEFFICIENTS,
    }
    return requested_table(request, tables) or render(request, "factor/validation.html", {**page, **context})


@require_safe
def validation_export(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """Every rating as CSV, once all are in."""
    sample = fetch_validation(request, pk)
    lines = export_lines(read_completions(sample), _names(request, sample))
    return download_ratings(sample.is_complete(), lines, f"validation-{sample.pk}")


def _names(request: MemberRequest, sample: Validation) -> Names:
    dataset = sample.benchmark.dataset
    return names_for(role_in(request.user, dataset), dataset)


def fetch_validation(request: MemberRequest, pk: int, *roles: str) -> Validation:
    samples = Validation.objects.select_related("benchmark__dataset", "created_by")
    return fetch_in_dataset(request.user, samples, pk, "benchmark.dataset", *(roles or READERS))


def _exclusions(benchmark: Benchmark) -> ExclusionQuerySet:
    in_force = Exclusion.objects.in_force().filter(example__benchmark=benchmark)
    return in_force.select_related("example", "excluded_by").order_by("example__position")
