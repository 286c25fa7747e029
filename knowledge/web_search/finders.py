"""What answers queries that are new: an engine of the web, or a knowledge source on this machine."""

from concurrent.futures import Executor
from decimal import Decimal
from functools import partial
from types import TracebackType
from typing import Protocol, Self

from jobs.budget import Budget, Spending
from knowledge.engines.engine import Engine, FoundPage
from knowledge.models import KnowledgeSource
from knowledge.search import search
from llm.call_counts import CallCounts
from llm.call_limiter import CallLimiter, Permitted
from llm.endpoints import has_key, key_of
from llm.errors import AccessRefusedError, CallLimitError, RequestRefusedError
from llm.grouped import Grouped
from llm.models import Endpoint
from llm.retries import RetryPolicy

CORPUS = "corpus"
COUNTED_AS = "search"  # in the counts of calls, in place of a model
FREE = Decimal(0)
NO_SEARCH = "No search may be made."


class Finder(Protocol):
    """engine, address: as of knowledge.models.WebSearch. price: of a search, None where it is not known. An
    asynchronous context manager."""

    engine: str
    address: str
    price: Decimal | None

    async def find(self, query: str, count: int) -> list[FoundPage]:
        """Best first, at most `count`. Raises ModelError."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class WebFinder:
    """An engine of the web. Its searches are limited and counted as calls to a model are (llm/call_limiter.py): places
    in flight, requests a minute, and the budget of the run."""

    def __init__(
        self,
        engine: Engine,
        endpoint: Endpoint,
        in_flight: int,
        database: Executor,
        *,
        retries: RetryPolicy,
        budget: Budget | None,
        call_limit: int | None,
        permitted: Permitted,
    ) -> None:
        """Raises AccessRefusedError where the engine's key is not set."""
        from knowledge.web_search.client import SearchClient  # with openai, which no page imports

        if engine.needs_key and not has_key(endpoint) and call_limit != 0:
            raise AccessRefusedError(
                f"The search engine {endpoint} needs a key: {endpoint.key_variable} is not set on this server."
            )
        self.engine, self.address, self.price = engine.name, endpoint.base_url, endpoint.search_usd
        self._called = f"a search with {endpoint}"
        key = key_of(endpoint) if engine.needs_key else ""
        self._limiter = CallLimiter(endpoint, in_flight, database, budget, call_limit, permitted)
        self._client = SearchClient(
            engine, endpoint.name, endpoint.base_url, key, in_flight, retries, self._limiter.enter_again
        )
        self._counts = CallCounts(endpoint.name, COUNTED_AS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._limiter.close()
        await self._client.__aexit__(kind, error, trace)

    async def find(self, query: str, count: int) -> list[FoundPage]:
        spending = Spending(0, self.price)
        async with self._limiter.enter(spending, self._called) as admission:
            with self._counts.calling():
                found = await self._client.search(query, count)
            self._counts.spent(None, None, self.price)
        await self._limiter.settle(admission, spending)
        return found


class CorpusFinder:
    """A knowledge source as if it were the web: passages of all of its pages by BM25. Nothing leaves the machine."""

    engine = CORPUS
    price: Decimal | None = FREE

    def __init__(self, source: KnowledgeSource, database: Executor, call_limit: int | None) -> None:
        self.address = f"{source.name} {source.edition}".strip()
        self._search = Grouped(partial(_search_all, source), database)
        self._call_limit = call_limit

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._search.finish()

    async def find(self, query: str, count: int) -> list[FoundPage]:
        if self._call_limit == 0:
            raise CallLimitError(NO_SEARCH)
        return await self._search((query, count))


class NoFinder:
    """In place of an engine for a run that is given the searches of another and makes none. address: as of the other's
    searches; called: what messages call that run."""

    price: Decimal | None = FREE

    def __init__(self, engine: str, address: str, called: str, call_limit: int | None) -> None:
        self.engine, self.address, self._called, self._call_limit = engine, address, called, call_limit

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    async def find(self, query: str, count: int) -> list[FoundPage]:
        if self._call_limit == 0:
            raise CallLimitError(NO_SEARCH)
        raise RequestRefusedError(f"Among the searches of {self._called} is none for {count} results of {query!r}.")


def _search_all(source: KnowledgeSource, wanted: list[tuple[str, int]]) -> list[list[FoundPage]]:
    return [
        [FoundPage(hit.document.title, hit.document.url, hit.text) for hit in search(source, query, count)]
        for query, count in wanted
    ]
