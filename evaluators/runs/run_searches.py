"""The searches of the web whose results a run was given, and the pages that were read for them, as rows to check and
repeat it by."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet

from evaluators.models import Run
from knowledge.models import Snapshot, WebSearch

CHUNK = 500
PAGES_AT_ONCE = 20  # a page has ten megabytes at most


def searches_of(run: Run) -> QuerySet[WebSearch]:
    """In the order in which they were frozen."""
    return run.searches.order_by("pk")


def describe_searches(run: Run) -> Iterator[dict[str, Any]]:
    without_texts = Prefetch("pages", Snapshot.objects.defer("text"))
    for search in searches_of(run).prefetch_related(without_texts).iterator(CHUNK):
        yield _described(search)


def pages_of(run: Run) -> QuerySet[Snapshot]:
    """The pages with a text that were read for its searches, by their addresses."""
    read = WebSearch.pages.through._default_manager.filter(websearch__runs=run)
    return Snapshot.objects.done().filter(pk__in=read.values("snapshot")).order_by("url", "settled_at", "text_hash")


def describe_pages(run: Run) -> Iterator[dict[str, Any]]:
    for page in pages_of(run).iterator(PAGES_AT_ONCE):
        yield {
            **_named(page),
            "final_url": page.final_url,
            "media_type": page.media_type,
            "title": page.title,
            "published": page.published,
            "text": page.text,
        }


def _named(page: Snapshot) -> dict[str, Any]:
    fetched_at = page.settled_at and page.settled_at.isoformat()
    return {"url": page.address, "fetched_at": fetched_at, "sha256": page.text_hash}


def _described(search: WebSearch) -> dict[str, Any]:
    """pages: those of the results that were read, each with the hash of its text, or the error of a dead one."""
    read = sorted(search.pages.all(), key=lambda page: (page.url, page.settled_at))
    pages = [_named(page) | ({"error": page.error} if page.error else {}) for page in read]
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
