"""Atomic facts that a run's own model generates of a response, one sentence a call (FActScore §3.3 and §4.3).

The prompt that breaks a sentence into facts has fixed demonstrations, then the nearest of a pool. Facts with a date or
a number that their sentence does not have are dropped as the published code drops them (docs/methods.md,
Generated facts).
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotate.facts.ask import ask_for_facts, read_facts
from annotate.prompt_sets.templates import AGAIN, read_template
from evaluators.fact_generation.released_facts import (
    has_no_facts,
    read_facts_as_released,
    read_facts_of_paper,
    without_invented,
)
from evaluators.methods.answer_forms import TEXTS, in_form
from evaluators.methods.base import Tools
from evaluators.methods.factscore_facts import NEAREST_LAST, RELEASED
from knowledge.bm25 import PassageIndex, rank_by_okapi
from knowledge.words import content_words
from llm.answer import Answer
from llm.templates import PromptError, PromptTemplate

Messages = list[dict[str, str]]
PLACE = "\0"  # of the sentence: in no template


class FactPrompt:
    """template: the fixed demonstrations, its last turn asking for $sentence. pool: a template of pairs of turns, a
    sentence and its facts. nearest: how many pairs are taken from it. order: by what they are the nearest (RANKINGS).
    Raises PromptError where the pool is no such pairs."""

    def __init__(self, template: PromptTemplate, pool: PromptTemplate, nearest: int, order: str = NEAREST_LAST) -> None:
        self._template = template
        self._pool = _pairs(pool.messages())
        if order == RELEASED:
            # The released pool is one file, whose first demonstrations are the fixed ones.
            own = [turn for turn in template.messages(sentence="")[:-1] if turn["role"] != "system"]
            self._pool = [*_pairs(own), *self._pool]
        self._nearest = nearest
        self._rank = RANKINGS[order]([question["content"] for question, _ in self._pool], template)
        self._hashes = (template.hash, pool.hash)
        self._order = order

    def messages(self, sentence: str) -> Messages:
        """The nearest pair stands last, beside the sentence."""
        *fixed, question = self._template.messages(sentence=sentence)
        places = self._rank(sentence)[: self._nearest]
        examples = [turn for place in reversed(places) for turn in self._pool[place]]
        return [*fixed, *examples, question]

    def hash(self, profile: str, again: PromptTemplate) -> str:
        """SHA-256 over all that decides which facts come of a model's answers, in hexadecimal."""
        parts = [*self._hashes, again.hash, str(self._nearest), self._order, profile]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()


Rank = Callable[[str], Sequence[int]]
"""The places of the demonstrations, the nearest to the sentence first."""


def _by_content_words(demonstrations: Sequence[str], template: PromptTemplate) -> Rank:
    """BM25 over content words; of those alike the earlier first."""
    index = PassageIndex(demonstrations)
    return lambda sentence: index.ranking(content_words(sentence))


def _as_released(demonstrations: Sequence[str], template: PromptTemplate) -> Rank:
    """As the published code ranks passages; of those alike the later first (docs/methods.md, Generated facts). The
    words of the template around a sentence do not count."""
    before, _, after = template.messages(sentence=PLACE)[-1]["content"].partition(PLACE)
    backwards = [text.removeprefix(before).removesuffix(after) for text in reversed(demonstrations)]
    last = len(backwards) - 1
    return lambda sentence: [last - place for place in rank_by_okapi(backwards, sentence)]


Ranking = Callable[[Sequence[str], PromptTemplate], Rank]
RANKINGS: dict[str, Ranking] = {NEAREST_LAST: _by_content_words, RELEASED: _as_released}


def _pairs(turns: Messages) -> list[tuple[dict[str, str], dict[str, str]]]:
    pairs = list(zip(turns[::2], turns[1::2], strict=False))
    if len(turns) % 2 or any(sentence["role"] != "user" or facts["role"] != "assistant" for sentence, facts in pairs):
        raise PromptError("A pool of demonstrations must be turns of user and assistant, one after the other.")
    return pairs


# Independent of the run's own sampling: the same facts serve every evaluator with this model and these prompts.
SAMPLING: dict[str, Any] = {"temperature": 0.0, "max_tokens": 1024}
RELEASED_SAMPLING: dict[str, Any] = {"temperature": 0.7, "max_tokens": 512}
# Facts that earlier versions kept under these profiles came by other rules.
RULES = {"released-code": "released-code 0.3.0", "repaired": "repaired 0.3.0"}

FactsRead = Callable[[str], tuple[str, ...]]


class FactWriter:
    """Breaks sentences into facts by a run's parameters; `hash` names its work, so that facts are made once."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Raises PromptError where the prompt set lacks a template."""
        prompts, profile = parameters["prompts"], parameters["profile"]
        template, pool = read_template(prompts, "factscore_facts"), read_template(prompts, "factscore_facts_pool")
        self._again = read_template(prompts, AGAIN)
        order = parameters.get("demonstration_order", NEAREST_LAST)  # evaluators of earlier versions do not name one
        self._prompt = FactPrompt(template, pool, parameters["demonstrations"], order)
        self._read = READERS[profile]
        self._as_released = profile == "released-code"
        # The other profiles read one form of a list alone.
        form = in_form(parameters, "facts", facts=TEXTS) if profile == "repaired" else {}
        self._asked = (RELEASED_SAMPLING if self._as_released else SAMPLING) | form
        rules = RULES.get(profile, profile) + " by a schema" * bool(form)
        self.hash = self._prompt.hash(rules, self._again)

    async def write(self, sentences: Sequence[str], tools: Tools) -> list[tuple[str, ...]]:
        """The facts of each sentence. Raises UnreadableError or ModelError, naming the sentence."""

        async def ask(messages: Sequence[dict[str, str]], sample: int = 0) -> Answer:
            answer = await tools.ask(list(messages), sample, **self._asked)
            # The published code reads an answer that was cut off like any other.
            as_released = self._as_released and not answer.is_missing
            return replace(answer, finish_reason="stop") if as_released else answer

        facts = await ask_for_facts(sentences, ask, self._messages, self._again, read=self._read)
        return await asyncio.to_thread(_drop_as_released, sentences, facts) if self._as_released else facts

    async def rehearse(self, sentences: Sequence[str], tools: Tools) -> None:
        """Ask what `write` would ask, and read nothing."""
        for sentence in filter(str.strip, sentences):
            await tools.ask(self._messages(" ".join(sentence.split())), 0, **self._asked)

    def _messages(self, sentence: str) -> Messages:
        return self._prompt.messages(sentence)


def _drop_as_released(sentences: Sequence[str], facts: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [
        () if has_no_facts(sentence, is_first=not place) else without_invented(sentence, of_one)
        for place, (sentence, of_one) in enumerate(zip(sentences, facts, strict=True))
    ]


READERS: dict[str, FactsRead] = {
    "repaired": read_facts,
    "paper": read_facts_of_paper,
    "released-code": read_facts_as_released,
}
