"""The searches of the web whose results a run was given: as a page and as a file, to check and repeat it by."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet, Sum
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, role_in
from evaluators.models import Run
from evaluators.runs.views import fetch_run
from knowledge.models import WebSearch

SEARCHES_A_PAGE = 50
CHUNK = 500


@require_safe
def run_searches(request: MemberRequest, pk: int) -> HttpResponse:
    run = fetch_run(request, pk)
    searches = searches_of(run)
    page = Paginator(searches, SEARCHES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "dataset": run.dataset,
        "role": role_in(request.user, run.dataset),
        "tab": "runs",
        "run": run,
        "pages": page,
        "searches": list(page),
        "cost_usd": searches.aggregate(cost=Sum("cost_usd"))["cost"],
        "unpriced": searches.filter(cost_usd=None).count(),
    }
    return render(request, "runs/searches.html", context)


@require_safe
def run_searches_file(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The same as JSON lines."""
    run = fetch_run(request, pk)
    headers = {"Content-Disposition": f'attachment; filename="searches-{run.pk}.jsonl"'}
    return StreamingHttpResponse(_lines(run), content_type="application/jsonl; charset=utf-8", headers=headers)


def searches_of(run: Run) -> QuerySet[WebSearch]:
    """In the order in which they were frozen."""
    return run.searches.order_by("pk")


def _lines(run: Run) -> Iterator[str]:
    for search in searches_of(run).prefetch_related("pages").iterator(CHUNK):
        yield json.dumps(_described(search), ensure_ascii=False) + "\n"


def _described(search: WebSearch) -> dict[str, Any]:
    """pages: those of the results that were read, each with the hash of its text, or the error of a dead one."""
    pages = [
        {"url": page.url, "fetched_at": page.settled_at and page.settled_at.isoformat(), "sha256": page.text_hash}
        | ({"error": page.error} if page.error else {})
        for page in search.pages.all()
    ]
    return {
        "engine": search.engine,
        "address": search.address,
        "query": search.query,
        "count": search.count,
        "fetched_at": search.fetched_at.isoformat(),
        "cost_usd": None if search.cost_usd is None else float(search.cost_usd),
        "sha256": search.results_hash,
        "results": search.results,
        "pages": pages,
    }
