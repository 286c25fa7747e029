"""Tools between a method and the model: the answers that it may use, and notes on its requests."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.methods.base import EvidencePassage, Tools, WebResult
from evaluators.models import Run
from llm.answer import Answer
from llm.errors import CallLimitError, RequestRefusedError

ASKINGS_APART = 1000  # more than the samples that any method takes
NOT_ASKED = "This was never asked: reading the answers this way would take another call."
NOT_SEARCHED = "This was never searched for: reading the answers this way would take another search."


class Anew:
    """The tools of a run that asks anew: the same questions under sample numbers of its own, so that answers of an
    earlier asking are not used, and those of this one are kept like any other."""

    def __init__(self, tools: Tools, asking: int) -> None:
        self._tools = tools
        self._first = asking * ASKINGS_APART

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        return await self._tools.ask(messages, self._first + sample, **overrides)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return await self._tools.embed(texts)

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return await self._tools.search(topic, query, k)

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        """Frozen results are used: what a search found is no sample of a model."""
        return await self._tools.web_search(query, k)


class KnownAnswers:
    """Tools for reading again: known answers, no other. A new request is refused, which fails the item
    alone and not the run."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        try:
            return await self._tools.ask(messages, sample, **overrides)
        except CallLimitError:
            raise RequestRefusedError(NOT_ASKED) from None

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            return await self._tools.embed(texts)
        except CallLimitError:
            raise RequestRefusedError(NOT_ASKED) from None

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return await self._tools.search(topic, query, k)

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        try:
            return await self._tools.web_search(query, k)
        except CallLimitError:
            raise RequestRefusedError(NOT_SEARCHED) from None


class Noting:
    """The tools of one item of a run. item: its key. calls: the keys of the answers that it was given so far, each
    once."""

    def __init__(self, tools: Tools, item: int) -> None:
        self._tools = tools
        self.item = item
        self._calls: dict[int, None] = {}

    @property
    def calls(self) -> tuple[int, ...]:
        return tuple(self._calls)

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        answer = await self._tools.ask(messages, sample, **overrides)
        self._calls[answer.call_id] = None
        return answer

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return await self._tools.embed(texts)

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return await self._tools.search(topic, query, k)

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        return await self._tools.web_search(query, k)


@dataclass(frozen=True)
class Unasked:
    """A question that was not put. characters: of its prompt. longest: its answer in tokens, None where the run's limit
    holds. model: its name among the run's other models, "" where it is the run's own."""

    characters: int
    longest: int | None
    model: str


class Rehearsal:
    """Tools that ask no model and note what would have been asked: an answer that is known is given, another is empty.

    known: how many answers are there already. unasked: the questions that would have been sent. `embed` gives vectors
    of one number, so that a method that orders passages by them goes on. searches: those that would have been made,
    each answered with nothing.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self.known = 0
        self.searches = 0
        self.unasked: list[Unasked] = []

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        try:
            answer = await self._tools.ask(messages, sample, **overrides)
        except CallLimitError:
            characters = sum(len(message["content"]) for message in messages)
            self.unasked.append(Unasked(characters, overrides.get("max_tokens"), overrides.get("model", "")))
            return Answer(call_id=0, text="", finish_reason="")
        self.known += 1
        return answer

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            return await self._tools.embed(texts)
        except CallLimitError:
            return [[1.0] for _ in texts]

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return await self._tools.search(topic, query, k)

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        try:
            return await self._tools.web_search(query, k)
        except CallLimitError:
            self.searches += 1
            return []


def between(run: Run, tools: Tools) -> Tools:
    """The tools as the run may use them."""
    if run.asking:
        tools = Anew(tools, run.asking)
    return KnownAnswers(tools) if run.reading_of_id else tools
