"""A knowledge source in place of the web."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from knowledge.engines.engine import FoundPage
from knowledge.models import WebSearch
from knowledge.web_search.finders import CorpusFinder
from knowledge.web_search.searcher import Searcher
from llm.errors import CallLimitError
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db(transaction=True)


def found(source, query, count=2, call_limit=None):
    async def session():
        async with Searcher(CorpusFinder(source, thread, call_limit), thread) as search:
            return await search(query, count)

    with ThreadPoolExecutor(max_workers=1) as thread:
        try:
            return asyncio.run(session())
        finally:
            thread.submit(connections.close_all).result()


def test_passages_of_all_pages_are_searched_and_frozen():
    source = make_source("rivers", Spree="It flows through Berlin. It is slow.", Isar="It flows through Munich.")
    source.refresh_from_db()

    assert found(source, "Which river flows through Munich?", 1) == [FoundPage("Isar", "", "It flows through Munich.")]

    row = WebSearch.objects.get()
    assert (row.engine, row.address, row.cost_usd) == ("corpus", f"rivers {source.edition}", 0)
    assert found(source, "Which river flows through Munich?", 1, call_limit=0)[0].title == "Isar"
    with pytest.raises(CallLimitError):
        found(source, "Berlin", 1, call_limit=0)
