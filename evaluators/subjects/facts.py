"""Atomic facts that a run's own model generates of a response, one sentence a call (FActScore §3.3 and §4.3)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotate.facts.ask import MARK, ask_for_facts, read_facts
from evaluators.methods.base import Tools
from evaluators.prompts.templates import read_template
from evaluators.subjects.demonstrations import FactPrompt, Messages
from evaluators.subjects.invented import without_invented
from llm.answer import Answer

# Whatever the run's own sampling is: the same facts serve every evaluator with this model and these prompts.
SAMPLING = {"temperature": 0.0, "max_tokens": 1024}

FactsRead = Callable[[str], tuple[str, ...]]


class FactWriter:
    """Breaks sentences into facts by a run's parameters; `hash` names what it does, so that facts are made once."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Raises PromptError where the prompt set lacks a template."""
        prompts, profile = parameters["prompts"], parameters["profile"]
        template, pool = read_template(prompts, "factscore_facts"), read_template(prompts, "factscore_facts_pool")
        self._prompt = FactPrompt(template, pool, parameters["demonstrations"])
        self._read = READERS[profile]
        self._drops_invented = profile == "released-code"
        self.hash = self._prompt.hash(profile)

    async def write(self, sentences: Sequence[str], tools: Tools) -> list[tuple[str, ...]]:
        """The facts of each sentence. Raises UnreadableError or ModelError, naming the sentence."""

        async def ask(messages: Sequence[dict[str, str]], sample: int = 0) -> Answer:
            return await tools.ask(list(messages), sample, **SAMPLING)

        facts = await ask_for_facts(sentences, ask, messages_of=self._messages, read=self._read)
        if not self._drops_invented:
            return facts
        return [without_invented(sentence, found) for sentence, found in zip(sentences, facts, strict=True)]

    async def rehearse(self, sentences: Sequence[str], tools: Tools) -> None:
        """Ask what `write` would ask, and read nothing."""
        for sentence in filter(str.strip, sentences):
            await tools.ask(self._messages(" ".join(sentence.split())), 0, **SAMPLING)

    def _messages(self, sentence: str) -> Messages:
        return self._prompt.messages(sentence)


def read_facts_as_released(answer: str) -> tuple[str, ...]:
    """What follows each "- ", wherever it stands, as the published parser does (docs/methods.md, Generated facts):
    "1990 - 1995" comes apart into two facts, and a numbered list yields none."""
    pieces = (re.sub(r"\s+", " ", piece).strip() for piece in answer.split(MARK)[1:])
    return tuple(piece if piece.endswith(".") else f"{piece}." for piece in pieces if piece)


READERS: dict[str, FactsRead] = {
    "repaired": read_facts,
    "paper": read_facts,
    "released-code": read_facts_as_released,
}
