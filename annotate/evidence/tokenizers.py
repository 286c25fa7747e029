"""Cutting of texts into passages for search. A source has one tokenizer, which is stored with it by name."""

from collections.abc import Callable

from annotate.corpus.sentences import sentence_spans
from knowledge.passages import PASSAGE_WORDS, TOKEN, Span, cut_at_sentences, cut_span

DEFAULT = "sentences"
# The passages that the file itself brings: a dump of FActScore's has them.
AS_PUBLISHED = "published"


def sentences_by_words(text: str) -> list[Span]:
    """Whole sentences, at most 256 white-space words a passage."""
    return cut_at_sentences(text, sentence_spans(text))


def sentences_by_tokens(text: str) -> list[Span]:
    """Whole sentences, at most 256 words and signs a passage (FActScore §4.1 has at most 256 tokens)."""
    return cut_at_sentences(text, sentence_spans(text), unit=TOKEN)


def words(text: str) -> list[Span]:
    """256 white-space words a passage, wherever sentences end."""
    return list(cut_span(text, (0, len(text)), PASSAGE_WORDS))


# Name → half-open offsets of the text's passages, in reading order; none for a blank text.
TOKENIZERS: dict[str, Callable[[str], list[Span]]] = {
    DEFAULT: sentences_by_words,
    "tokens": sentences_by_tokens,
    "words": words,
}
NAMES = {
    DEFAULT: "Whole sentences, at most 256 words",
    "tokens": "Whole sentences, at most 256 words and punctuation marks",
    "words": "256 words, wherever sentences end",
    AS_PUBLISHED: "As the dump has them",
}
