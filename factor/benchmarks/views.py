"""The pages of benchmarks: those of a dataset, and the examples of one."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from factor.benchmarks.listing import benchmarks_of
from factor.benchmarks.page import READERS, fetch_benchmark, page_of

A_PAGE = 25


@require_safe
def benchmarks(request: MemberRequest, pk: int) -> HttpResponse:
    """Every benchmark of the dataset, and how to get one."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "page": Paginator(benchmarks_of(dataset), A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "factor/benchmarks.html", context)


@require_safe
def benchmark(request: MemberRequest, pk: int) -> HttpResponse:
    """The examples of a benchmark."""
    found = fetch_benchmark(request, pk)
    examples = found.examples.prefetch_related("completions")
    page = Paginator(examples, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "factor/benchmark.html", {**page_of(request, found, "examples"), "page": page})
