"""One text: the model goes on with the prefix and what both completions begin with (FACTOR §6.1)."""

import re

from factor.models import OpenEndedGeneration, OpenEndedPair
from jobs.kinds import Question, Store
from llm.asker import Asker


def prepare(generation: OpenEndedGeneration) -> Question[Asker]:
    """What asks the model and returns what stores its text. `generation` comes with pair, study and example."""
    messages = [{"role": "user", "content": prompt_of(generation.pair)}]
    sample = generation.sample

    async def question(ask: Asker) -> Store:
        answer = await ask(messages, sample)
        return lambda lease: lease.finish(text=answer.text, finish_reason=answer.finish_reason)

    return question


def prompt_of(pair: OpenEndedPair) -> str:
    """The prefix and the common beginning, as they stand; the study's so many last characters of it, from a whole word.

    Spaces at its end are left to the model: to most tokenizers they belong to the next word.
    """
    text = (pair.completion.example.scored_prefix + pair.common).rstrip(" ")
    most = pair.study.prompt_characters
    if len(text) <= most:
        return text
    kept = text[-most:]
    begun = not text[-most - 1].isspace()
    return re.sub(r"^\S+\s+", "", kept) if begun else kept.lstrip()
