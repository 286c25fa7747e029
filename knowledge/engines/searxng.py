"""SearXNG, which one can run oneself: a GET that asks for JSON, and no key. It has no parameter for the number of
results; the first ones are taken."""

from typing import Any

from knowledge.engines.engine import Engine, FoundPage, SearchRequest, part_of, read_pages


def request(query: str, count: int, key: str) -> SearchRequest:
    return SearchRequest("GET", params={"q": query, "format": "json"})


def read(answer: Any) -> list[FoundPage]:
    return read_pages(part_of(answer, "", "results", list), "results", title="title", url="url", text="content")


ENGINE = Engine("searxng", "Search engine, SearXNG's protocol", request, read, needs_key=False)
