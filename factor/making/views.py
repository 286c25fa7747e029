"""The pages on which a benchmark is made: what it would take, how far it is, stop, go on, take what there is."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.corpus.lines import DataError
from annotate.leased.errors import StartError
from annotate.leased.forms import LimitsForm
from annotate.leased.pages import render_progress, resume
from annotate.leased.undertake import stop
from annotate.models import Dataset, Role
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.filtering.forms import FilterForm
from factor.filtering.settings import read_settings
from factor.making.estimate import estimate
from factor.making.forms import MakeForm
from factor.making.progress import progress_of
from factor.making.queue import knock
from factor.making.shown import failures_of, yields_shown
from factor.making.start import start
from factor.making.write import accept
from factor.models import Making
from knowledge.models import KnowledgeSource
from llm.endpoints import default_endpoint
from llm.errors import EndpointAddressError
from llm.price import price_of


@require_safe
def making_new(request: MemberRequest, pk: int) -> HttpResponse:
    """The form, beginning with what the query string says; for HTMX what it would take as it stands."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.htmx:
        return render(
            request, "factor/make.html#estimate", _estimate(MakeForm(request.GET), FilterForm(dataset, request.GET))
        )
    given = request.GET.dict()
    return _form_page(request, dataset, MakeForm(initial=given), FilterForm(dataset, initial=given))


@require_POST
def making_start(request: MemberRequest, pk: int) -> HttpResponse:
    """Begin a benchmark, or only tell what that would take."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form, filters = MakeForm(request.POST), FilterForm(dataset, request.POST)
    if "estimate" in request.POST:
        return _form_page(request, dataset, form, filters)
    if form.is_valid() and filters.is_valid():
        given = form.cleaned_data
        try:
            endpoint = given["endpoint"] or default_endpoint()
            wish = form.wish(filters.settings)
            making = start(dataset, given["name"], given["source"], endpoint, wish, request.user, form.limits())
        except (StartError, EndpointAddressError) as error:
            form.add_error(None, str(error))
        else:
            knock(making.pk)
            return redirect("making", making.benchmark_id)
    return _form_page(request, dataset, form, filters, 422)


@require_safe
def making(request: MemberRequest, pk: int) -> HttpResponse:
    """How a benchmark is made, or was: settings, progress, yields."""
    benchmark = fetch_benchmark(request, pk)
    found = _making_of(benchmark.pk)
    context = {**page_of(request, benchmark, "making"), "making": found}
    if found is not None:
        context |= {"filters": read_settings(found.filters), **_progress(found)}
    return render(request, "factor/making.html", context)


@require_safe
def making_progress(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page that is asked for again and again; the whole page once there is no more to come."""
    benchmark = fetch_benchmark(request, pk)
    found = _making_of(benchmark.pk)
    if found is None or not request.htmx:
        return redirect("making", pk)
    context = {**page_of(request, benchmark, "making"), "making": found, **_progress(found)}
    return render_progress(request, found, "factor/making.html", context)


@require_POST
def making_stop(request: MemberRequest, pk: int) -> HttpResponse:
    found = _making_of(fetch_benchmark(request, pk, Role.ADJUDICATOR).pk)
    if found is not None:
        stop(found)
    return redirect("making", pk)


@require_POST
def making_resume(request: MemberRequest, pk: int) -> HttpResponse:
    """Go on with what is left, and once more with what failed, under the limits given or its own."""
    found = _making_of(fetch_benchmark(request, pk, Role.ADJUDICATOR).pk)
    if found is None:
        return redirect("making", pk)
    resume(request, found, knock)
    return redirect("making", pk)


@require_POST
def making_accept(request: MemberRequest, pk: int) -> HttpResponse:
    """Finish a stopped one with the examples that it has."""
    found = _making_of(fetch_benchmark(request, pk, Role.ADJUDICATOR).pk)
    if found is None:
        return redirect("making", pk)
    try:
        written = accept(found)
    except DataError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"The benchmark has {written} example{'' if written == 1 else 's'} now.")
    return redirect("making", pk)


def _making_of(benchmark: int) -> Making | None:
    """None where the benchmark came as a file."""
    return Making.objects.select_related("source", "endpoint", "created_by").filter(benchmark=benchmark).first()


def _progress(making: Making) -> dict[str, Any]:
    progress = progress_of(making)
    return {
        "progress": progress,
        "yields": yields_shown(progress),
        "failures": failures_of(making) if progress.documents.failed else [],
        "priced": price_of(making.endpoint, making.model) is not None,
        "limits": LimitsForm.of(making),
    }


def _estimate(form: MakeForm, filters: FilterForm) -> dict[str, Any]:
    """What the form as it stands would take; None where it cannot be read yet."""
    if not form.is_bound or not (form.is_valid() and filters.is_valid()):
        return {"estimate": None}
    given = form.cleaned_data
    try:
        return {
            "estimate": estimate(given["source"], given["endpoint"] or default_endpoint(), form.wish(filters.settings))
        }
    except EndpointAddressError as error:
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
        "has_source": KnowledgeSource.objects.visible().exists(),
        **_estimate(form, filters),
    }
    return render(request, "factor/make.html", context, status=status)
