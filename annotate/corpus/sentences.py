"""Sentences of a text, as NLTK's Punkt cuts it with the English parameters."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """The half-open offsets of each sentence, white space at both ends left out; none for a blank text."""
    for start, end in _tokenizer().span_tokenize(text):
        sentence = text[start:end]
        stripped = sentence.strip()
        if stripped:
            lead = len(sentence) - len(sentence.lstrip())
            yield start + lead, start + lead + len(stripped)


def sentences(text: str) -> list[str]:
    """The sentences in reading order, without white space around them."""
    return [text[start:end] for start, end in sentence_spans(text)]


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
