"""Asking a model without paying twice: the cache first, then the model, every answer stored before it is used."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from types import TracebackType
from typing import Any, Self

from django.conf import settings

from core.events import abandon
from jobs.budget import Budget, Spending
from llm.answer import Answer
from llm.cache import Record, look_up
from llm.call_counts import CallCounts
from llm.call_limiter import CallLimiter, Permitted, always
from llm.dialects import Change
from llm.embedder import Embedder
from llm.endpoints import key_of
from llm.grouped import Grouped
from llm.interfaces import CHAT
from llm.learnt import keep_changes, known_changes
from llm.models import Endpoint, Price
from llm.price import cost_of_call, counted_usd, most_usd
from llm.requests import Message, Request
from llm.retries import RetryPolicy
from llm.shared_closing import SharedClosing


class Asker:
    """Puts requests to one model of one endpoint. Use as an asynchronous context manager in one event loop.

    in_flight: calls under way at once. call_limit: calls to the model at most (answers from the cache are free).
    database: does the Asker's work on the database, a group of rows at a time, in a thread that is not the loop's.
    retries: None tries as often as the settings say. budget: what the calls may cost (jobs/budget.py). permitted: asked
    every few seconds, in the thread of the database, whether calls may still be made; raises a ModelError where not.
    `called` and `cached` count the answers that came from the model and from the cache.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        parameters: Mapping[str, Any],
        in_flight: int,
        database: Executor,
        *,
        interface: str = CHAT,
        price: Price | None = None,
        call_limit: int | None = None,
        retries: RetryPolicy | None = None,
        budget: Budget | None = None,
        permitted: Permitted = always,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._parameters = parameters
        self._interface = interface
        self._price = price
        # openai takes a second to import and 20 MB; pages do not need it.
        from llm.client import ModelClient

        retries = retries or RetryPolicy(settings.MODEL_ATTEMPTS)
        self._limiter = CallLimiter(endpoint, in_flight, database, budget, call_limit, permitted)
        self._client = ModelClient(
            endpoint.base_url,
            key_of(endpoint),
            in_flight,
            retries,
            self._limiter.enter_again,
            self._keep,
            provider=endpoint.provider,
            closing=SharedClosing(endpoint, database),
        )
        self._database = database
        self._known: asyncio.Task[None] | None = None
        self._embedder = Embedder(endpoint, self._client, self._limiter, database)
        self._look_up = Grouped(look_up, database)
        self._counts = CallCounts(endpoint.name, model)
        self._under_way: dict[str, asyncio.Task[Answer]] = {}
        self.cached = 0

    @property
    def called(self) -> int:
        return self._limiter.called

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel calls under way, and store every answer that has arrived."""
        await abandon([*self._under_way.values(), *([self._known] if self._known else [])])
        await self._embedder.close()
        await self._look_up.finish()
        await self._limiter.close()
        await self._client.__aexit__(kind, error, trace)

    async def __call__(self, messages: Sequence[Message], sample: int = 0, **overrides: Any) -> Answer:
        """The answer to the messages; the n-th sample of the same messages is another request. `overrides` take the
        place of the Asker's own parameters.

        The same request asked twice at once is one call. Raises ModelError, or DatabaseError where the answer could not
        be stored.
        """
        parameters = {**self._parameters, **overrides}
        request = Request(self._endpoint.base_url, self._model, messages, parameters, sample, self._interface)
        task = self._under_way.get(request.hash)
        if task is None:
            task = asyncio.create_task(self._answer(request))
            self._under_way[request.hash] = task
            task.add_done_callback(lambda ended: self._forget(request.hash, ended))
        # A cancelled caller does not cancel the call of the others that wait for it.
        return await asyncio.shield(task)

    def _forget(self, key: str, ended: "asyncio.Task[Answer]") -> None:
        """Mark a failure as seen: the callers raise it, unless all of them were cancelled."""
        del self._under_way[key]
        if not ended.cancelled():
            ended.exception()

    async def embed(self, texts: Sequence[str], model: str) -> list[list[float]]:
        """One vector a text, of the embedding model at the same endpoint. Raises as asking does."""
        return await self._embedder(texts, model)

    async def _know_once(self) -> None:
        if self._known is None:
            self._known = asyncio.create_task(self._know())
        if not self._known.done():
            await asyncio.shield(self._known)  # the others wait for it too
        self._known.result()

    async def _know(self) -> None:
        """Read once what earlier calls have learnt of the model."""
        known = await asyncio.get_running_loop().run_in_executor(
            self._database, known_changes, self._endpoint, self._model
        )
        self._client.changes = {**known, **self._client.changes}

    async def _keep(self, changes: Sequence[Change]) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._database, keep_changes, self._endpoint, self._model, changes)

    async def _answer(self, request: Request) -> Answer:
        answer = await self._look_up(request.hash)
        if answer is not None:
            self.cached += 1
            self._counts.cached()
            return answer
        return await self._call(request)

    async def _call(self, request: Request) -> Answer:
        """The model's own answer, stored."""
        await self._know_once()
        most = Spending(request.most_tokens, most_usd(self._price, request))
        async with self._limiter.enter(most, self._model) as admission:
            with self._counts.calling():
                completion = await self._client.complete(request)
            cost = cost_of_call(self._price, completion)
            self._counts.spent(completion.prompt_tokens, completion.completion_tokens, cost.known_usd)
        record = Record(self._endpoint, request, completion, cost, counted_usd(self._price, completion))
        return await self._limiter.store(admission, record)
