"""Atomic facts by a model, one sentence a call (FActScore §3.3, step 2; the prompt scheme of its table 16)."""

import asyncio
from collections.abc import Callable, Sequence

from annotate.prompts.asking import Ask, UnreadableError, ask_until_read
from annotate.prompts.list_answers import read_list
from llm.templates import PromptTemplate


def read_facts(answer: str) -> tuple[str, ...]:
    """The items of the list, () where the answer is that the sentence states nothing. Raises UnreadableError where
    there is no list."""
    facts = read_list(answer, "fact")
    if facts is None:
        raise UnreadableError('no line of it begins with "- "')
    return facts


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
