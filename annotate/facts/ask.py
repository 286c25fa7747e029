"""Atomic facts by a model, one sentence a call (FActScore §3.3, step 2; the prompt scheme of its table 16)."""

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from annotate.proposals.asking import Ask, UnreadableError, ask_until_read
from llm.templates import PromptTemplate, read_file

PROMPT = Path(__file__).resolve().parent / "prompts" / "facts.txt"
MARK = "- "
NOTHING = "none"


@cache
def template() -> PromptTemplate:
    return read_file(PROMPT)


def read_facts(answer: str) -> tuple[str, ...]:
    """The lines that begin with "- ", without it; () where the answer is that the sentence states nothing.

    Only the beginning of a line is looked at: "1990 - 1995" is one fact, and a heading above the list is none.
    Raises UnreadableError where there is no such line.
    """
    if answer.strip().rstrip(".").lower() == NOTHING:
        return ()
    lines = (line.strip() for line in answer.split("\n"))
    facts = tuple(line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK))
    if not any(facts):
        raise UnreadableError('no line of it begins with "- "')
    return tuple(filter(None, facts))


async def ask_for_facts(sentences: Sequence[str], ask: Ask, sample: int = 0) -> list[tuple[str, ...]]:
    """The facts of each sentence, none of a blank one. Raises UnreadableError or ModelError, naming the sentence."""
    return list(
        await asyncio.gather(*(_facts_of(number, text, ask, sample) for number, text in enumerate(sentences, start=1)))
    )


async def _facts_of(number: int, sentence: str, ask: Ask, sample: int) -> tuple[str, ...]:
    if not sentence.strip():
        return ()
    messages = template().messages(sentence=" ".join(sentence.split()))
    try:
        return await ask_until_read(ask, messages, read_facts, sample)
    except UnreadableError as error:
        raise UnreadableError(f"sentence {number}: {error}") from None
