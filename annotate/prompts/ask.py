"""One prompt put to the subject model, zero-shot: its answer, and the other samples of it."""

import asyncio
from collections.abc import Sequence
from typing import Any

from annotate.models import CollectedPrompt, GenerationItem, Scheme
from jobs.errors import ItemError
from jobs.kinds import Question, Store
from jobs.leases import Lease
from llm.answer import Answer
from llm.asker import Asker


def prepare(item: GenerationItem) -> Question[Asker]:
    """A coroutine that asks the model and returns a function to store its answers. `item` has generation and prompt."""
    generation = item.generation
    messages = messages_of(item.prompt)
    may_abstain = generation.dataset.scheme == Scheme.FACTSCORE

    async def question(ask: Asker) -> Store:
        # Other samples are numbered from 1, at a temperature of their own: the cache keeps each apart.
        calls = await asyncio.gather(
            ask(messages),
            *(ask(messages, n, temperature=generation.sample_temperature) for n in range(1, generation.samples + 1)),
            return_exceptions=True,  # where one fails the others still end: they are paid for, and kept in the cache
        )
        answers = [_answered(each) for each in calls]
        if not (answers[0].text.strip() or may_abstain):
            raise ItemError("the model answered nothing, and a response to be cut into segments needs a text.")
        return lambda lease: _store(lease, answers)

    return question


def messages_of(prompt: CollectedPrompt) -> list[dict[str, str]]:
    """The prompt alone (FELM §3.5, FActScore §3.1)."""
    return [{"role": "user", "content": prompt.text}]


def sent(temperature: float, answer_tokens: int) -> dict[str, Any]:
    """The parameters of a request for an answer."""
    return {"temperature": temperature, "max_tokens": answer_tokens}


def _answered(outcome: Answer | BaseException) -> Answer:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _store(lease: Lease[GenerationItem], answers: Sequence[Answer]) -> None:
    first, *others = answers
    samples = [sample.text for sample in others]
    lease.finish(text=first.text if first.text.strip() else "", finish_reason=first.finish_reason, samples=samples)
