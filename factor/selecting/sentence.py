"""The sentence of a document that becomes a true completion (FACTOR §3.2.1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from annotate.corpus.sentences import sentence_spans
from factor.selecting.paragraphs import Span, paragraph_spans

FEWEST_WORDS = 10
MOST_WORDS = 100
WORD = re.compile(r"\w")
# A full stop or its like, followed at most by closing quotation marks and brackets.
FINISHED = re.compile(r"[.!?…][\"'”’»)\]]*$")
# The characters that may stand before a sentence's first letter or digit.
OPENING = "\"'“‘«([ "


class DocumentSkip(StrEnum):
    """Why a document gives no sentence."""

    EMPTY = "empty"
    ONLY_HEADLINES = "only headlines"
    ONLY_FIRST = "only first"
    TOO_SHORT = "too short"
    ENDLESS = "endless"


@dataclass(frozen=True)
class Selected:
    """The characters [start, end) of the document; the prefix is all text before them.

    `sentence`: their text on one line, because line breaks would distinguish it from the completions of a model.
    """

    start: int
    end: int
    sentence: str


def select(text: str, title: str, seed: str) -> Selected | DocumentSkip:
    """One of the sentences that can be a completion, drawn by the seed; or the reason why there is none.

    No headline, 10 to 100 words, and not the beginning of the text: its prefix would be empty. A headline does not end
    or begin as a sentence does, repeats the title, or has no small letter.
    """
    spans = [span for span in _sentences(text) if not _is_headline(text[slice(*span)], title)]
    usable = [span for span in spans if FEWEST_WORDS <= words_in(text[slice(*span)]) <= MOST_WORDS]
    with_prefix = [span for span in usable if text[: span[0]].strip()]
    if with_prefix:
        start, end = Random(seed).choice(with_prefix)  # noqa: S311 - repeatable on purpose, no secret
        return Selected(start, end, " ".join(text[start:end].split()))
    if usable:
        return DocumentSkip.ONLY_FIRST
    if not spans:
        return DocumentSkip.ONLY_HEADLINES if text.strip() else DocumentSkip.EMPTY
    return (
        DocumentSkip.ENDLESS
        if any(words_in(text[slice(*span)]) > MOST_WORDS for span in spans)
        else DocumentSkip.TOO_SHORT
    )


def words_in(text: str) -> int:
    """Pieces between white space that have a letter or a digit."""
    return sum(bool(WORD.search(piece)) for piece in text.split())


def _sentences(text: str) -> Iterator[Span]:
    """As Punkt cuts each paragraph."""
    for first, last in paragraph_spans(text):
        for start, end in sentence_spans(text[first:last]):
            yield first + start, first + end


def _is_headline(sentence: str, title: str) -> bool:
    return (
        not FINISHED.search(sentence)
        or not _begins(sentence.lstrip(OPENING)[:1])
        or not any(letter.islower() for letter in sentence)
        or " ".join(sentence.split()).casefold() == " ".join(title.split()).casefold()
    )


def _begins(character: str) -> bool:
    """Whether a sentence may begin with it: a digit, or a letter that is not small."""
    return character.isalnum() and not character.islower()
