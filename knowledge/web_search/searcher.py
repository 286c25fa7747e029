"""Searching without asking twice: frozen results first, then the engine, every list frozen before it is used."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from types import TracebackType
from typing import Self

from django.db.models import QuerySet

from core.events import abandon
from knowledge.engines.engine import FoundPage
from knowledge.fetching.page import one_line
from knowledge.models import WebSearch
from knowledge.web_search.finders import Finder
from knowledge.web_search.frozen import Answered, FrozenSearch, Query, look_up, look_up_among, store
from knowledge.web_search.read_pages import PageReader
from llm.grouped import Grouped

LONGEST_QUERY = 1000  # characters

Note = Callable[[Sequence[int]], Sequence[None]]


class Searcher:
    """Awaited with a query and a number, it returns so many pages at most, best first. Use as an asynchronous context
    manager in one event loop.

    pages: so many of the results are read themselves, 0: their snippets alone. fetches: whether pages that are not
    frozen may be fetched. note: called in the thread of the database with the keys of the searches whose results are
    given. kept: the searches whose results and pages alone are given; None: all that are frozen, and new ones.
    """

    def __init__(
        self,
        finder: Finder,
        database: Executor,
        pages: int = 0,
        fetches: bool = True,
        note: Note | None = None,
        kept: QuerySet[WebSearch] | None = None,
    ) -> None:
        self._finder = finder
        self._look_up = Grouped(look_up if kept is None else partial(look_up_among, kept), database)
        self._store = Grouped(store, database)
        self._pages = PageReader(pages, database, only_own=kept is not None) if pages else None
        self._fetches = fetches and kept is None
        self._note = Grouped(note, database) if note else None
        self._under_way: dict[str, asyncio.Task[FrozenSearch]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel searches under way, and store every list that has arrived."""
        await abandon(self._under_way.values())
        await self._look_up.finish()
        await self._store.finish()
        if self._note:
            await self._note.finish()
        await self._finder.__aexit__(kind, error, trace)

    async def __call__(self, text: str, count: int) -> list[FoundPage]:
        """[] for a query without a word. The same query at once is one search. Raises ModelError."""
        query = Query(self._finder.engine, self._finder.address, one_line(text)[:LONGEST_QUERY], count)
        if not query.text or count < 1:
            return []
        task = self._under_way.get(query.hash)
        if task is None:
            task = asyncio.create_task(self._find(query))
            self._under_way[query.hash] = task
            task.add_done_callback(lambda ended: self._forget(query.hash, ended))
        # A cancelled caller does not cancel the search of the others that wait for it.
        search = await asyncio.shield(task)
        if self._note:
            await self._note(search.pk)
        return await self._pages(search, query.text, self._fetches) if self._pages else list(search.pages)

    def _forget(self, key: str, ended: "asyncio.Task[FrozenSearch]") -> None:
        """Mark a failure as seen: the callers raise it, unless all of them were cancelled."""
        del self._under_way[key]
        if not ended.cancelled():
            ended.exception()

    async def _find(self, query: Query) -> FrozenSearch:
        frozen = await self._look_up(query)
        if frozen is not None:
            return frozen
        found = await self._finder.find(query.text, query.count)
        return await self._store(Answered(query, found, self._finder.price))
