"""The means of a method without a database: a model at an endpoint, answers kept in a file, pages in memory."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.events import abandon
from evaluators.library.pages import Pages
from evaluators.methods.base import EvidencePassage, WebResult
from evaluators.methods.parameters import sent_with_requests
from llm.answer import Answer, Token
from llm.client import ModelClient
from llm.completion import ModelCompletion, read_answer
from llm.requests import EmbeddingRequest, Request

NO_KEY = "no-key"
NO_SEARCH = "The library has no search engine."


class AnswerFile:
    """Answers as JSON by the hash of their request, in an SQLite file; None keeps them for this call alone."""

    def __init__(self, path: str | Path | None) -> None:
        """Raises ValueError where it is no file that could hold them."""
        try:
            self._database = sqlite3.connect(path or ":memory:", isolation_level=None)
            self._database.execute("CREATE TABLE IF NOT EXISTS answer (hash TEXT PRIMARY KEY, content TEXT NOT NULL)")
        except sqlite3.Error as error:
            raise ValueError(f"cache is {path}, which cannot keep answers: {error}.") from error

    def get(self, key: str) -> Any:
        """None where there is none."""
        row = self._database.execute("SELECT content FROM answer WHERE hash = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, content: Any) -> None:
        self._database.execute("INSERT OR REPLACE INTO answer VALUES (?, ?)", (key, json.dumps(content)))

    def close(self) -> None:
        self._database.close()


class LibraryTools:
    """The tools of evaluators/methods/base.py. Use as an asynchronous context manager in one event loop.

    `called` and `cached` count the answers that came from the model and from the file.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str,
        parameters: Mapping[str, Any],
        pages: Pages,
        answers: AnswerFile,
    ) -> None:
        self._model = model
        self._base_url = base_url.rstrip("/")
        self._parameters = parameters
        self._pages = pages
        self._answers = answers
        self._places = asyncio.Semaphore(parameters["in_flight"])
        self._client = ModelClient(self._base_url, key or NO_KEY, parameters["in_flight"])
        self._under_way: dict[str, asyncio.Task[Any]] = {}
        self._numbers: dict[str, int] = {}
        self.called = self.cached = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await abandon(self._under_way.values())
        await self._client.__aexit__(kind, error, trace)
        self._answers.close()

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        """The same request asked twice at once is one call. Raises ModelError."""
        sent = sent_with_requests(self._parameters) | overrides
        interface = self._parameters["interface"]
        request = Request(self._base_url, self._model, messages, sent, sample, interface)

        async def call() -> dict[str, Any]:
            completion = await self._client.complete(request)
            tokens = [asdict(token) for token in completion.tokens]
            return {
                "text": completion.text,
                "finish_reason": completion.finish_reason,
                "tokens": tokens,
                "thought": completion.thought,
                "adapted": completion.adapted,
            }

        content = await self._once(request.hash, call)
        number = self._numbers.setdefault(request.hash, len(self._numbers) + 1)
        # Files of earlier versions hold neither thoughts nor what was adapted.
        tokens = tuple(Token(**token) for token in content["tokens"])
        adapted = tuple(content.get("adapted", ()))
        return read_answer(number, ModelCompletion(**{**content, "tokens": tokens, "adapted": adapted}))

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Raises ModelError."""
        model = self._parameters.get("embedding_model") or self._model
        return list(await asyncio.gather(*(self._embed(model, text) for text in texts)))

    async def _embed(self, model: str, text: str) -> list[float]:
        async def call() -> list[float]:
            [vector], _ = await self._client.embed(model, [text])
            return vector

        vector: list[float] = await self._once(EmbeddingRequest(self._base_url, model, text).hash, call)
        return vector

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return self._pages.best(topic, query, k)

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        raise TypeError(NO_SEARCH)

    async def _once(self, key: str, call: Any) -> Any:
        content = self._answers.get(key)
        if content is not None:
            self.cached += 1
            return content
        if key not in self._under_way:
            self._under_way[key] = asyncio.create_task(self._call(key, call))
        return await asyncio.shield(self._under_way[key])

    async def _call(self, key: str, call: Any) -> Any:
        try:
            async with self._places:
                content = await call()
            self.called += 1
            self._answers.put(key, content)
            return content
        finally:
            del self._under_way[key]
