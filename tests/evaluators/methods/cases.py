"""Cases for tests of methods, in the fewest words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluators.methods.base import (
    Case,
    Claim,
    EvidencePassage,
    Outcome,
    Reference,
    Unit,
    UnitOutcome,
    WebResult,
    units_of,
)
from llm.answer import Answer

Facts = Sequence[Sequence[str]]


def make_case(
    segments: Sequence[str] = ("Ada was born in 1815.", "She wrote the first program."),
    facts: Facts | None = None,
    references: Sequence[str | None] = (),
    index: str = "7",
    passages: Sequence[Sequence[str]] | None = None,
) -> Case:
    """A response whose units are its segments or, where facts are given (one list a segment), those. With passages, one
    list a segment, the segments are claims."""
    if facts is None:
        units = [Unit(100 + place, None, place, None, text) for place, text in enumerate(segments)]
    else:
        units = [
            Unit(100 + place, 1000 + 10 * place + number, place, number, text)
            for place, texts in enumerate(facts)
            for number, text in enumerate(texts)
        ]
    return Case(
        index=index,
        prompt="Who was Ada Lovelace?",
        response=" ".join(segments),
        domain="wk",
        topic="Ada Lovelace",
        subject="",
        segments=tuple(segments),
        units=tuple(units),
        references=tuple(Reference("https://example.org", content) for content in references),
        evidence={
            (100 + place, None): tuple(EvidencePassage("", text) for text in texts)
            for place, texts in enumerate(passages or ())
            if texts
        },
        of_claims=passages is not None,
    )


def units_and_claims(outcomes: Sequence[Outcome]) -> tuple[list[UnitOutcome], list[Claim]]:
    return units_of(outcomes), [outcome for outcome in outcomes if isinstance(outcome, Claim)]


class ScriptedModel:
    """Tools whose model gives the answers it was told to, sample by sample, and keeps what it was asked."""

    def __init__(
        self,
        *texts: str,
        finish_reason: str = "stop",
        passages: Mapping[str, Sequence[EvidencePassage]] | None = None,
        web: Mapping[str, Sequence[WebResult]] | None = None,
    ) -> None:
        self.texts = texts
        self.passages = passages or {}
        self.web = web or {}
        self.searched: list[str] = []
        self.finish_reason = finish_reason
        self.asked: list[list[dict[str, str]]] = []

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        self.asked.append(messages)
        return Answer(500 + sample, self.texts[sample % len(self.texts)], self.finish_reason)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0] for text in texts]

    async def search(self, topic: str, query: str, k: int) -> list[EvidencePassage]:
        return list(self.passages.get(topic, ())[:k])

    async def web_search(self, query: str, k: int) -> list[WebResult]:
        self.searched.append(query)
        return list(self.web.get(query, ())[:k])


class AnsweringModel(ScriptedModel):
    """Tools whose model answers each request by a function of its messages; its answers are numbered from 501."""

    def __init__(
        self, answer: Callable[[list[dict[str, str]]], str], web: Mapping[str, Sequence[WebResult]] | None = None
    ) -> None:
        super().__init__(web=web)
        self.answer = answer

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        self.asked.append(messages)
        return Answer(500 + len(self.asked), self.answer(messages), "stop")
