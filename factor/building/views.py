"""The pages of builds: estimate, start, progress, stop, resume, accept."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.evidence.source import sources_of
from annotate.grants.endpoints import granted_default
from annotate.models import Dataset, Role
from core.errors import DataError
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.building.estimate import estimate
from factor.building.forms import MakeForm
from factor.building.progress import progress_of
from factor.building.prompts import templates_for
from factor.building.start import start
from factor.building.write import accept
from factor.building.yield_rows import failures_of, yields_shown
from factor.filtering.forms import FilterForm
from factor.filtering.settings import read_settings
from factor.models import BenchmarkBuild
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.views import JobViews
from llm.errors import EndpointAddressError
from llm.price import is_priced
from llm.templates import PromptError


@require_safe
def build_new(request: MemberRequest, pk: int) -> HttpResponse:
    """The form, filled from the query string; for HTMX the estimate of its values."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.htmx:
        return render(
            request,
            "factor/make.html#estimate",
            _estimate(dataset, MakeForm(dataset, request.GET), FilterForm(dataset, request.GET)),
        )
    query = request.GET.dict()
    return _form_page(request, dataset, MakeForm(dataset, initial=query), FilterForm(dataset, initial=query))


@require_POST
def build_start(request: MemberRequest, pk: int) -> HttpResponse:
    """Start a build, or give its estimate alone."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form, filters = MakeForm(dataset, request.POST), FilterForm(dataset, request.POST)
    if "estimate" in request.POST:
        return _form_page(request, dataset, form, filters)
    if form.is_valid() and filters.is_valid():
        fields = form.cleaned_data
        try:
            endpoint = fields["endpoint"] or granted_default(dataset)
            wish = form.wish(filters.settings)
            build = start(dataset, fields["name"], fields["source"], endpoint, wish, request.user, form.limits())
        except (StartError, EndpointAddressError) as error:
            form.add_error(None, str(error))
        else:
            enqueue(build)
            return redirect("build", build.benchmark_id)
    return _form_page(request, dataset, form, filters, 422)


@require_safe
def build(request: MemberRequest, pk: int) -> HttpResponse:
    """How a benchmark is made, or was: settings, progress, yields."""
    benchmark = fetch_benchmark(request, pk)
    build_row = build_of(benchmark.pk)
    context = {**page_of(request, benchmark, "build"), "build": build_row}
    if build_row is not None:
        context |= {"filters": read_settings(build_row.filters), **VIEWS.progress_context(request, build_row)}
    return render(request, "factor/build.html", context)


@require_POST
def build_accept(request: MemberRequest, pk: int) -> HttpResponse:
    """Finish a stopped one with the examples that it has."""
    build = build_of(fetch_benchmark(request, pk, Role.ADJUDICATOR).pk)
    if build is None:
        return redirect("build", pk)
    try:
        written = accept(build)
    except DataError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"The benchmark now has {written} example{'' if written == 1 else 's'}.")
    return redirect("build", pk)


def build_of(benchmark: int) -> BenchmarkBuild | None:
    """None where the benchmark came as a file."""
    return (
        BenchmarkBuild.objects.select_related("benchmark__dataset", "source", "endpoint", "created_by")
        .filter(benchmark=benchmark)
        .first()
    )


def _fetch(request: MemberRequest, pk: int, to_change: bool) -> BenchmarkBuild:
    """The build of a benchmark (its primary key), which only adjudicators change."""
    build = build_of(fetch_benchmark(request, pk, *([Role.ADJUDICATOR] if to_change else [])).pk)
    if build is None:
        raise Http404
    return build


def _progress(request: MemberRequest, build: BenchmarkBuild) -> dict[str, Any]:
    progress = progress_of(build)
    return {
        "role": role_in(request.user, build.benchmark.dataset),
        "progress": progress,
        "yields": yields_shown(progress),
        "failures": failures_of(build) if progress.documents.failed else [],
        "priced": is_priced(build.endpoint, build.model),
    }


VIEWS = JobViews("build", "factor/build_progress.html", _fetch, _progress)


def _estimate(dataset: Dataset, form: MakeForm, filters: FilterForm) -> dict[str, Any]:
    """The estimate of the form's values; None where they cannot be read yet."""
    if not form.is_bound or not (form.is_valid() and filters.is_valid()):
        return {"estimate": None}
    fields = form.cleaned_data
    wish = form.wish(filters.settings)
    try:
        endpoint = fields["endpoint"] or granted_default(dataset)
        templates = templates_for(dataset, wish.prompts, wish.filters)
        return {"estimate": estimate(fields["source"], endpoint, wish, templates)}
    except (EndpointAddressError, PromptError) as error:
        return {"estimate": None, "estimate_error": str(error)}


def _form_page(
    request: MemberRequest, dataset: Dataset, form: MakeForm, filters: FilterForm, status: int = 200
) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "form": form,
        "filter_form": filters,
        "has_source": sources_of(dataset).exists(),
        **_estimate(dataset, form, filters),
    }
    return render(request, "factor/make.html", context, status=status)
