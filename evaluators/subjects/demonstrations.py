"""The prompt that breaks a sentence into facts: fixed demonstrations, then the nearest of a pool (FActScore §3.3)."""

import hashlib

from knowledge.bm25 import PassageIndex
from knowledge.words import content_words
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
        shown = [turn for place in reversed(places) for turn in self._pool[place]]
        return [*fixed, *shown, question]

    def hash(self, profile: str) -> str:
        """SHA-256 over all that decides which facts come of a model's answers, in hexadecimal."""
        return hashlib.sha256(" ".join([*self._hashes, str(self._nearest), profile]).encode()).hexdigest()


def _pairs(turns: Messages) -> list[tuple[dict[str, str], dict[str, str]]]:
    pairs = list(zip(turns[::2], turns[1::2], strict=False))
    if len(turns) % 2 or any(sentence["role"] != "user" or facts["role"] != "assistant" for sentence, facts in pairs):
        raise PromptError("A pool of demonstrations must be turns of user and assistant, one after the other.")
    return pairs
