"""Brave Search and servers that speak its protocol: a GET with the query in the address."""

from typing import Any

from knowledge.engines.engine import Engine, FoundPage, SearchRequest, part_of, read_pages

MOST = 20  # more are refused


def request(query: str, count: int, key: str) -> SearchRequest:
    return SearchRequest(
        "GET", params={"q": query, "count": str(min(count, MOST))}, headers={"X-Subscription-Token": key}
    )


def read(answer: Any) -> list[FoundPage]:
    """An answer that found nothing repeats the query and has no part `web`."""
    if isinstance(answer, dict) and "query" in answer and answer.get("web") is None:
        return []
    results = part_of(part_of(answer, "", "web", dict), "web", "results", list)
    return read_pages(results, "web.results", title="title", url="url", text="description")


ENGINE = Engine("brave", "Search engine, Brave's protocol", request, read)
