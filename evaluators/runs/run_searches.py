"""The searches of the web whose results a run was given, as rows to check and repeat it by."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from evaluators.models import Run
from knowledge.models import WebSearch

CHUNK = 500


def searches_of(run: Run) -> QuerySet[WebSearch]:
    """In the order in which they were frozen."""
    return run.searches.order_by("pk")


def describe_searches(run: Run) -> Iterator[dict[str, Any]]:
    for search in searches_of(run).prefetch_related("pages").iterator(CHUNK):
        yield _described(search)


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
