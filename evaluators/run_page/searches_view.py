"""The searches of the web whose results a run was given: as a page and as a file, to check and repeat it by."""

from collections.abc import Iterator
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Prefetch, Sum
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, role_in
from core.downloads import download
from core.json_lines import json_line
from evaluators.runs.run_searches import describe_pages, describe_searches, pages_of, searches_of
from evaluators.runs.views import fetch_run
from knowledge.models import Snapshot

SEARCHES_A_PAGE = 50


@require_safe
def run_searches(request: MemberRequest, pk: int) -> HttpResponse:
    run = fetch_run(request, pk)
    searches = searches_of(run)
    read = Prefetch("pages", Snapshot.objects.defer("text"))
    page = Paginator(searches.prefetch_related(read), SEARCHES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "dataset": run.dataset,
        "role": role_in(request.user, run.dataset),
        "tab": "runs",
        "run": run,
        "pages": page,
        "searches": list(page),
        "cost_usd": searches.aggregate(cost=Sum("cost_usd"))["cost"],
        "pages_read": pages_of(run).count(),
        "unpriced": searches.filter(cost_usd=None).count(),
    }
    return render(request, "runs/searches.html", context)


@require_safe
def run_searches_file(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The same as JSON lines."""
    run = fetch_run(request, pk)
    return _file(f"searches-{run.pk}.jsonl", describe_searches(run))


@require_safe
def run_pages_file(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The pages that were read for the searches, with their texts, as JSON lines."""
    run = fetch_run(request, pk)
    return _file(f"pages-{run.pk}.jsonl", describe_pages(run))


def _file(name: str, rows: Iterator[dict[str, Any]]) -> StreamingHttpResponse:
    lines = (f"{json_line(row)}\n" for row in rows)
    return download(lines, name, "application/jsonl; charset=utf-8")
