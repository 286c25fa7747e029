"""The pages behind results: fetched once for a search through the guard of fetching, frozen as snapshots, and shown by
the passages that bear on the query."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from knowledge.bm25 import PassageIndex
from knowledge.engines.engine import FoundPage
from knowledge.fetching.errors import FetchError
from knowledge.fetching.freeze import fetch_columns, snapshot_with
from knowledge.fetching.request import address_of
from knowledge.models import MARK, Snapshot, WebSearch
from knowledge.passages import cut
from knowledge.web_search.frozen import FrozenSearch
from knowledge.words import content_words

PASSAGE_WORDS = 128
PASSAGES_SHOWN = 2
FETCHED_AT_ONCE = 4  # each is read in a process of its own
FIRST_ATTEMPT = 1


@dataclass(frozen=True)
class FetchedPage:
    """A page fetched now. columns: of its snapshot; error: why it has none."""

    url: str
    columns: dict[str, Any]
    error: str = ""


class PageReader:
    """Awaited with a search, it returns its pages, the first `most` of them with passages of their texts.

    A page that is dead keeps its snippet, and is not asked for again; one that cannot be reached for now keeps it too,
    and is asked for again by the next run. A page that several searches found at once is fetched once. only_own: no
    page is read but those that were read for the search before.
    """

    def __init__(self, most: int, database: Executor, only_own: bool = False) -> None:
        self._most = most
        self._known_text = _own_text if only_own else _known_text
        self._database = database
        self._places = asyncio.Semaphore(FETCHED_AT_ONCE)
        self._locks: dict[str, asyncio.Lock] = {}  # by address

    async def __call__(self, search: FrozenSearch, query: str, fetch: bool) -> list[FoundPage]:
        """fetch: False takes only the pages that are frozen."""
        shown = search.pages[: self._most]
        texts = await asyncio.gather(*(self._text_of(search.pk, page.url, fetch) for page in shown))
        read = [replace(page, text=passages(text, query) or page.text) for page, text in zip(shown, texts, strict=True)]
        return [*read, *search.pages[self._most :]]

    async def _text_of(self, search: int, link: str, fetch: bool) -> str:
        """ "" where there is none."""
        url = address_of(link)
        if url is None:
            return ""
        async with self._locks.setdefault(url, asyncio.Lock()):
            text = await self._in_database(self._known_text, search, url)
            fetched = await self._fetch(url) if text is None and fetch else None
            if fetched is not None:
                text = await self._in_database(_store, search, fetched)
        return text or ""

    async def _fetch(self, url: str) -> FetchedPage | None:
        """None where the page cannot be reached for now."""
        async with self._places:
            try:
                return FetchedPage(url, await asyncio.to_thread(fetch_columns, url, FIRST_ATTEMPT))
            except FetchError as error:
                return None if error.retry else FetchedPage(url, {}, str(error))

    async def _in_database(self, work: Callable[..., str | None], *arguments: Any) -> str | None:
        return await asyncio.get_running_loop().run_in_executor(self._database, work, *arguments)


def passages(text: str, query: str) -> str:
    """The passages of the text that bear most on the query, in reading order; "" of an empty text."""
    pieces = cut(text, PASSAGE_WORDS)
    best = PassageIndex(pieces).ranking(content_words(query))[:PASSAGES_SHOWN]
    return " … ".join(" ".join(pieces[place].split()) for place in sorted(best))


def _own_text(search: int, url: str) -> str | None:
    """The text of the page that was read for the search, "" of a dead one; None where there is none."""
    own = Snapshot.objects.filter(searches=search, url__in=[url, f"{MARK}{url}"]).first()
    return None if own is None else own.text


def _known_text(search: int, url: str) -> str | None:
    """That of the page that was read for the search, else of the latest that is frozen, to which the search keeps from
    now on; None where there is none."""
    own = _own_text(search, url)
    latest = Snapshot.objects.done().filter(url=url).order_by("-pk").first() if own is None else None
    if latest is None:
        return own
    _link(search, latest)
    return latest.text


def _store(search: int, fetched: FetchedPage) -> str:
    """Freeze the page for the search, and return its text."""
    if fetched.error:
        dead = {"state": Snapshot.State.FAILED, "error": fetched.error, "settled_at": timezone.now()}
        _link(search, Snapshot.objects.create(url=fetched.url, **dead))
        return ""
    _link(search, snapshot_with(fetched.url, fetched.columns))
    text: str = fetched.columns["text"]
    return text


def _link(search: int, page: Snapshot) -> None:
    WebSearch.objects.get(pk=search).pages.add(page)
