"""The words of a query marked in a text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from knowledge.words import content_words

# The tokens that content_words may take for words, as they stand in the text.
TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class MarkedText:
    """A stretch of a text, verbatim; `match`: it is one of the words looked for."""

    text: str
    match: bool


def mark(text: str, words: Iterable[str]) -> list[MarkedText]:
    """The whole text in pieces, in order: each token that holds one of these content words is a match."""
    wanted = set(words)
    pieces, at = [], 0
    for token in TOKEN.finditer(text) if wanted else ():
        if wanted.isdisjoint(_words_of(token.group())):
            continue
        if token.start() > at:
            pieces.append(MarkedText(text[at : token.start()], False))
        pieces.append(MarkedText(token.group(), True))
        at = token.end()
    if at < len(text):
        pieces.append(MarkedText(text[at:], False))
    return pieces


@lru_cache(maxsize=50_000)
def _words_of(token: str) -> frozenset[str]:
    # The same few words make up most of any text.
    return frozenset(content_words(token))
