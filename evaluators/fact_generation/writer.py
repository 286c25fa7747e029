"""Atomic facts that a run's own model generates of a response, one sentence a call (FActScore §3.3 and §4.3).

The prompt that breaks a sentence into facts has fixed demonstrations, then the nearest of a pool. Facts with a date or
a number that their sentence does not have are dropped as the published code drops them (docs/methods.md,
Generated facts).
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotate.facts.ask import MARK, ask_for_facts, read_facts
from evaluators.methods.base import Tools
from evaluators.prompts.templates import read_template
from knowledge.bm25 import PassageIndex
from knowledge.words import content_words
from llm.answer import Answer
from llm.templates import PromptError, PromptTemplate

Messages = list[dict[str, str]]


class FactPrompt:
    """template: the fixed demonstrations, its last turn asking for $sentence. pool: a template of pairs of turns, a
    sentence and its facts. nearest: how many pairs are taken from it, by BM25 over the words of their sentences.
    Raises PromptError where the pool is no such pairs."""

    def __init__(self, template: PromptTemplate, pool: PromptTemplate, nearest: int) -> None:
        self._template = template
        self._pool = _pairs(pool.messages())
        self._index = PassageIndex([question["content"] for question, _ in self._pool])
        self._nearest = nearest
        self._hashes = (template.hash, pool.hash)

    def messages(self, sentence: str) -> Messages:
        """The nearest pair stands last, beside the sentence."""
        *fixed, question = self._template.messages(sentence=sentence)
        places = self._index.ranking(content_words(sentence))[: self._nearest]
        examples = [turn for place in reversed(places) for turn in self._pool[place]]
        return [*fixed, *examples, question]

    def hash(self, profile: str) -> str:
        """SHA-256 over all that decides which facts come of a model's answers, in hexadecimal."""
        return hashlib.sha256(" ".join([*self._hashes, str(self._nearest), profile]).encode()).hexdigest()


def _pairs(turns: Messages) -> list[tuple[dict[str, str], dict[str, str]]]:
    pairs = list(zip(turns[::2], turns[1::2], strict=False))
    if len(turns) % 2 or any(sentence["role"] != "user" or facts["role"] != "assistant" for sentence, facts in pairs):
        raise PromptError("A pool of demonstrations must be turns of user and assistant, one after the other.")
    return pairs


MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
FIGURE = re.compile(rf"\b(?:[0-9]+|{MONTHS})\b")


def without_invented(sentence: str, facts: Sequence[str]) -> tuple[str, ...]:
    """The facts whose figures are all in the sentence; every fact where those left would not cover the sentence's own.

    A figure is a number in digits or the name of a month. (The published code has a parser find the dates.)
    """
    own = figures_in(sentence)
    supported = tuple(fact for fact in facts if figures_in(fact) <= own)
    covered = frozenset[str]().union(*map(figures_in, supported))
    return supported if covered == own else tuple(facts)


def figures_in(text: str) -> frozenset[str]:
    return frozenset(FIGURE.findall(text))


# Independent of the run's own sampling: the same facts serve every evaluator with this model and these prompts.
SAMPLING = {"temperature": 0.0, "max_tokens": 1024}

FactsRead = Callable[[str], tuple[str, ...]]


class FactWriter:
    """Breaks sentences into facts by a run's parameters; `hash` names its work, so that facts are made once."""

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
        return [
            without_invented(sentence, sentence_facts)
            for sentence, sentence_facts in zip(sentences, facts, strict=True)
        ]

    async def rehearse(self, sentences: Sequence[str], tools: Tools) -> None:
        """Ask what `write` would ask, and read nothing."""
        for sentence in filter(str.strip, sentences):
            await tools.ask(self._messages(" ".join(sentence.split())), 0, **SAMPLING)

    def _messages(self, sentence: str) -> Messages:
        return self._prompt.messages(sentence)


def read_facts_as_released(answer: str) -> tuple[str, ...]:
    """The text after each "- ", also within a line, as the published parser does (docs/methods.md, Generated facts):
    "1990 - 1995" comes apart into two facts, and a numbered list yields none."""
    pieces = (re.sub(r"\s+", " ", piece).strip() for piece in answer.split(MARK)[1:])
    return tuple(piece if piece.endswith(".") else f"{piece}." for piece in pieces if piece)


READERS: dict[str, FactsRead] = {
    "repaired": read_facts,
    "paper": read_facts,
    "released-code": read_facts_as_released,
}
