"""Vectors of texts, each text paid for once: from the cache, else from the endpoint, a group of texts in one call."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from core.events import abandon
from jobs.budget import Spending
from llm.cache import look_up_vectors, store_vectors
from llm.call_counts import CallCounts
from llm.call_limiter import CallLimiter
from llm.models import Endpoint, Price
from llm.price import cost_of, price_of
from llm.requests import EmbeddingRequest

if TYPE_CHECKING:
    from llm.client import ModelClient

TEXTS_A_CALL = 64

Vector = list[float]


class Embedder:
    """Awaited with texts and the name of a model, it returns one vector a text."""

    def __init__(self, endpoint: Endpoint, client: "ModelClient", limiter: CallLimiter, database: Executor) -> None:
        self._endpoint = endpoint
        self._client = client
        self._limiter = limiter
        self._database = database
        self._under_way: dict[str, asyncio.Task[dict[str, Vector]]] = {}

    async def __call__(self, texts: Sequence[str], model: str) -> list[Vector]:
        """The same text asked for twice at once is sent once. Raises ModelError."""
        requests = {text: EmbeddingRequest(self._endpoint.base_url, model, text) for text in texts}
        new = [request for request in requests.values() if request.hash not in self._under_way]
        if new:
            task = asyncio.create_task(self._find(new, model))
            hashes = [request.hash for request in new]
            self._under_way.update(dict.fromkeys(hashes, task))
            task.add_done_callback(lambda _: [self._under_way.pop(key) for key in hashes])
        tasks = {request.hash: self._under_way[request.hash] for request in requests.values()}
        await asyncio.gather(*(asyncio.shield(task) for task in set(tasks.values())))
        return [tasks[requests[text].hash].result()[requests[text].hash] for text in texts]

    async def close(self) -> None:
        """Cancel calls under way."""
        await abandon(self._under_way.values())

    async def _find(self, requests: Sequence[EmbeddingRequest], model: str) -> dict[str, Vector]:
        known, price = await asyncio.get_running_loop().run_in_executor(self._database, self._look_up, requests, model)
        missing = [request for request in requests if request.hash not in known]
        groups = [missing[start : start + TEXTS_A_CALL] for start in range(0, len(missing), TEXTS_A_CALL)]
        for called in await asyncio.gather(*(self._call(group, model, price) for group in groups)):
            known.update(called)
        return known

    def _look_up(self, requests: Sequence[EmbeddingRequest], model: str) -> tuple[dict[str, Vector], Price | None]:
        return look_up_vectors([request.hash for request in requests]), price_of(self._endpoint, model)

    async def _call(self, requests: Sequence[EmbeddingRequest], model: str, price: Price | None) -> dict[str, Vector]:
        estimate = sum(len(request.text) // 3 + 1 for request in requests)
        async with self._limiter.enter(Spending(estimate, cost_of(price, estimate, 0).usd), model) as admission:
            counts = CallCounts(self._endpoint.name, model)
            with counts.calling():
                vectors, tokens = await self._client.embed(model, [request.text for request in requests])
            counts.spent(tokens, None, cost_of(price, tokens, 0).known_usd)
        loop = asyncio.get_running_loop()
        by_hash = dict(zip((request.hash for request in requests), vectors, strict=True))
        stored = await loop.run_in_executor(self._database, store_vectors, self._endpoint, model, by_hash)
        await self._limiter.settle(admission, admission.took(tokens, cost_of(price, tokens, 0).usd))
        return stored
