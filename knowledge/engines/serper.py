"""Serper and servers that speak its protocol: a POST of JSON, answered with Google's organic results."""

from typing import Any

from knowledge.engines.engine import Engine, FoundPage, SearchRequest, part_of, read_pages


def request(query: str, count: int, key: str) -> SearchRequest:
    return SearchRequest("POST", body={"q": query, "num": count}, headers={"X-API-KEY": key})


def read(answer: Any) -> list[FoundPage]:
    return read_pages(part_of(answer, "", "organic", list), "organic", title="title", url="link", text="snippet")


ENGINE = Engine("serper", "Search engine, Serper's protocol", request, read)
