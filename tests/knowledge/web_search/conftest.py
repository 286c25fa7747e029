"""A search engine, and the Searcher that asks it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from knowledge.engines import ENGINES
from knowledge.web_search.finders import WebFinder
from knowledge.web_search.searcher import Searcher
from llm.call_limiter import always
from llm.models import Endpoint
from tests.fake_search import FakeSearch, fake_search
from tests.llm.conftest import QUICK


@pytest.fixture
def web() -> Iterator[FakeSearch]:
    with fake_search() as server:
        yield server


@pytest.fixture
def make_engine(web: FakeSearch, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Endpoint]:
    """Adds the server under one of its protocols, with a key that is set."""
    monkeypatch.setenv("TOUCHSTONE_KEY_SEARCH", "very secret")

    def make(protocol: str = "serper", **columns: Any) -> Endpoint:
        address = {"name": protocol, "base_url": f"{web.address}/{protocol}"}
        speaks = {"key_variable": "TOUCHSTONE_KEY_SEARCH", "search_engine": protocol}
        return Endpoint.objects.create(**address | speaks | columns)

    return make


@pytest.fixture
def with_searcher() -> Callable[..., Any]:
    """Runs `talk(search)` on an event loop with a Searcher of the engine and returns what it returns."""

    def run(endpoint: Endpoint, talk: Callable[[Searcher], Awaitable[Any]], **options: Any) -> Any:
        reading = {name: options.pop(name) for name in ("pages", "fetches") if name in options}
        options = {"retries": QUICK, "budget": None, "call_limit": None, "permitted": always} | options

        async def session() -> Any:
            finder = WebFinder(ENGINES[endpoint.search_engine], endpoint, 4, thread, **options)
            async with Searcher(finder, thread, **reading) as search:
                return await talk(search)

        with ThreadPoolExecutor(max_workers=1) as thread:
            try:
                return asyncio.run(session())
            finally:
                thread.submit(connections.close_all).result()

    return run
