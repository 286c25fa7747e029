"""The searches of the web whose results a run was given: as a page and as a file, to check and repeat it by."""

import json
from collections.abc import Iterator

from django.core.paginator import Paginator
from django.db.models import Sum
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, role_in
from evaluators.models import Run
from evaluators.runs.run_searches import describe_searches, searches_of
from evaluators.runs.views import fetch_run

SEARCHES_A_PAGE = 50


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


def _lines(run: Run) -> Iterator[str]:
    for row in describe_searches(run):
        yield json.dumps(row, ensure_ascii=False) + "\n"
