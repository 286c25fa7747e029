"""A fake model server for the tests of this room, and the Asker that talks to it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from llm.asker import Asker
from llm.models import Endpoint
from llm.retries import RetryPolicy
from tests.fake_openai import FakeOpenAI, fake_openai

QUICK = RetryPolicy(attempts=4, first_wait=0.01, longest_wait=0.05, longest_asked=0.2)


@pytest.fixture(scope="session")
def running_server() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def server(running_server: FakeOpenAI) -> FakeOpenAI:
    running_server.reset()
    return running_server


@pytest.fixture
def endpoint(server: FakeOpenAI, transactional_db: None) -> Endpoint:
    return Endpoint.objects.create(name="fake", base_url=server.base_url)


@pytest.fixture
def with_asker(endpoint: Endpoint) -> Callable[..., Any]:
    """Runs `talk(ask)` on an event loop with an Asker and returns what it returns."""

    def run(talk: Callable[[Asker], Awaitable[Any]], **options: Any) -> Any:
        async def session() -> Any:
            options.setdefault("in_flight", 8)
            async with Asker(endpoint, "m", {"temperature": 0.0}, database=thread, retries=QUICK, **options) as ask:
                return await talk(ask)

        with ThreadPoolExecutor(max_workers=1) as thread:
            try:
                return asyncio.run(session())
            finally:
                thread.submit(connections.close_all).result()

    return run
