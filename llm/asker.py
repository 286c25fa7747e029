"""Asking a model without paying twice: the cache first, then the model, every answer stored before it is used."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from types import TracebackType
from typing import Any, Self

from llm.answer import Answer
from llm.cache import look_up, store
from llm.client import Completion, ModelClient
from llm.endpoints import key_of
from llm.errors import CallLimitError
from llm.grouped import Grouped
from llm.models import Call, Endpoint, Price
from llm.price import cost_usd
from llm.requests import Message, Request
from llm.retries import RetryPolicy

GATHER_SECONDS = 0.02


class Asker:
    """Puts chat requests to one model of one endpoint. Use as an asynchronous context manager in one event loop.

    in_flight: calls under way at once. call_limit: calls to the model at most (answers from the cache are free).
    database: does the Asker's work on the database, a group of rows at a time, in a thread that is not the loop's.
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
        price: Price | None = None,
        call_limit: int | None = None,
        retries: RetryPolicy | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._parameters = parameters
        self._price = price
        self._call_limit = call_limit
        self._slots = asyncio.Semaphore(in_flight)
        self._client = ModelClient(endpoint.base_url, key_of(endpoint), in_flight, retries)
        self._look_up = Grouped(look_up, database)
        self._store = Grouped(store, database, GATHER_SECONDS)
        self._under_way: dict[str, asyncio.Task[Answer]] = {}
        self.called = 0
        self.cached = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give up calls that nobody waits for, but store every answer that has arrived."""
        abandoned = list(self._under_way.values())
        for task in abandoned:
            task.cancel()
        await asyncio.gather(*abandoned, return_exceptions=True)
        await self._look_up.finish()
        await self._store.finish()
        await self._client.__aexit__(kind, error, trace)

    async def __call__(self, messages: Sequence[Message], sample: int = 0) -> Answer:
        """The answer to the messages; the n-th sample of the same messages is another request.

        The same request asked twice at once is one call. Raises ModelError, or DatabaseError where the answer could not
        be stored.
        """
        request = Request(self._endpoint.base_url, self._model, messages, self._parameters, sample)
        task = self._under_way.get(request.hash)
        if task is None:
            task = asyncio.create_task(self._answer(request))
            self._under_way[request.hash] = task
            task.add_done_callback(lambda _: self._under_way.pop(request.hash))
        # Whoever else waits for this call keeps it when one of them is cancelled.
        return await asyncio.shield(task)

    async def _answer(self, request: Request) -> Answer:
        call = await self._look_up(request.hash)
        if call is None:
            async with self._slots:
                self._count_call()
                completion = await self._client.complete(request)
            call = await self._store(self._row(request, completion))
        else:
            self.cached += 1
        return Answer(call.pk, call.answer, call.finish_reason)

    def _count_call(self) -> None:
        if self._call_limit is not None and self.called >= self._call_limit:
            raise CallLimitError(f"The run may make {self._call_limit} calls to {self._model}, and has made them.")
        self.called += 1

    def _row(self, request: Request, completion: Completion) -> Call:
        return Call(
            endpoint=self._endpoint,
            request_hash=request.hash,
            model=self._model,
            request=request.content,
            answer=completion.text,
            finish_reason=completion.finish_reason,
            served_model=completion.served_model,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            cost_usd=cost_usd(self._price, completion.prompt_tokens, completion.completion_tokens),
            attempts=completion.attempts,
            seconds=completion.seconds,
        )
