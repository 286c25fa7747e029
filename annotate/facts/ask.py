"""Atomic facts by a model, one sentence a call (FActScore §3.3, step 2; the prompt scheme of its table 16)."""

import asyncio
from collections.abc import Callable, Sequence

from annotate.prompts.asking import Ask, UnreadableError, ask_until_read
from llm.templates import PromptTemplate

MARK = "- "
NOTHING = "none"


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


async def ask_for_facts(
    sentences: Sequence[str],
    ask: Ask,
    messages_of: Callable[[str], list[dict[str, str]]],
    again: PromptTemplate,
    sample: int = 0,
    read: Callable[[str], tuple[str, ...]] = read_facts,
) -> list[tuple[str, ...]]:
    """The facts of each sentence, none of a blank one. again: what is sent after an answer that cannot be read. Raises
    UnreadableError or ModelError, naming the sentence."""

    async def facts_of(number: int, sentence: str) -> tuple[str, ...]:
        if not sentence.strip():
            return ()
        try:
            return await ask_until_read(ask, messages_of(" ".join(sentence.split())), read, again, sample)
        except UnreadableError as error:
            raise UnreadableError(f"sentence {number}: {error}") from None

    return list(await asyncio.gather(*(facts_of(number, text) for number, text in enumerate(sentences, start=1))))
