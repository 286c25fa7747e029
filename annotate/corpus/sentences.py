"""Sentences of a text, as NLTK's Punkt cuts it with the English parameters; the items of lists stay whole."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

Span = tuple[int, int]

NUMBER = re.compile(r"[0-9]{1,3}[.)]")
# Before the number of a list's item, at the beginning of a line.
BEFORE_ITEM = re.compile(r"(?<=\n)(?=[ \t]*[0-9]{1,3}[.)][ \t]+\S)")


def sentence_spans(text: str) -> Iterator[Span]:
    """The half-open offsets of each sentence, white space at both ends left out; none for a blank text.

    A numbered item of a list begins a sentence, and its number is no sentence of its own.
    """
    numbered: int | None = None  # where the number that waits for its item begins
    for start, end in _pieces(text):
        if NUMBER.fullmatch(text, start, end) and numbered is None:
            numbered = start
            continue
        yield start if numbered is None else numbered, end
        numbered = None
    if numbered is not None:
        yield numbered, end


def sentences(text: str) -> list[str]:
    """The sentences in reading order, without white space around them."""
    return [text[start:end] for start, end in sentence_spans(text)]


def punkt_sentences(text: str) -> list[str]:
    """As Punkt alone cuts them: the number of a list's item is a sentence, or the end of one."""
    return [text[start:end] for start, end in _stripped(text, _tokenizer().span_tokenize(text))]


def _pieces(text: str) -> Iterator[Span]:
    """Punkt's sentences, cut before each item of a list as well."""
    items = [match.start() for match in BEFORE_ITEM.finditer(text)]
    for start, end in _tokenizer().span_tokenize(text):
        borders = [start, *(item for item in items if start < item < end), end]
        yield from _stripped(text, pairwise(borders))


def _stripped(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    for start, end in spans:
        piece = text[start:end]
        if stripped := piece.strip():
            lead = len(piece) - len(piece.lstrip())
            yield start + lead, start + lead + len(stripped)


@cache
def _tokenizer() -> "PunktSentenceTokenizer":
    # Here, not above: NLTK takes a second to load, and most commands cut nothing.
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt import load_model

    # NLTK's own parameters come by a download that a fresh machine cannot make; these are equal to them.
    model = load_model("english")
    parameters = PunktParameters()
    parameters.abbrev_types = set(model.abbrev_types)
    parameters.collocations = set(model.collocations)
    parameters.sent_starters = set(model.sent_starters)
    parameters.ortho_context.update(model.ortho_context)
    return PunktSentenceTokenizer(parameters)
