"""The pages of all candidates and of all documents of a build, those left out with the reasons."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.building.listing import OF_CANDIDATES, OF_DOCUMENTS, candidates_listed, choices, documents_listed, shown
from factor.models import Benchmark, BenchmarkBuild

A_PAGE = 25


@require_safe
def build_candidates(request: MemberRequest, pk: int) -> HttpResponse:
    """Each contradiction that the model wrote, beside its original."""
    benchmark = fetch_benchmark(request, pk)
    build = BenchmarkBuild.objects.filter(benchmark=benchmark).first()
    if build is None:
        return redirect("build", pk)
    chosen = choices(OF_CANDIDATES, request.GET.dict())
    page = Paginator(candidates_listed(build, chosen), A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "shown": [shown(candidate) for candidate in page], "choices": chosen}
    return _list_page(request, benchmark, "factor/build_candidates.html", context)


@require_safe
def build_documents(request: MemberRequest, pk: int) -> HttpResponse:
    """Each drawn document and its outcome."""
    benchmark = fetch_benchmark(request, pk)
    build = BenchmarkBuild.objects.filter(benchmark=benchmark).first()
    if build is None:
        return redirect("build", pk)
    chosen = choices(OF_DOCUMENTS, request.GET.dict())
    page = Paginator(documents_listed(build, chosen), A_PAGE).get_page(request.GET.get("page"))
    return _list_page(request, benchmark, "factor/build_documents.html", {"page": page, "choices": chosen})


def _list_page(request: MemberRequest, benchmark: Benchmark, template: str, context: dict[str, Any]) -> HttpResponse:
    return render(request, template, {**page_of(request, benchmark, "build"), **context})
