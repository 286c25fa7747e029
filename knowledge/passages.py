"""Cutting a document into passages."""

import re
from collections.abc import Iterable, Iterator

WORD = re.compile(r"\S+")
# A run of letters and digits, or one sign: nearer to the tokens of a language model than words are.
TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
# As many words as a passage of FActScore's knowledge source has at most (§4.1).
PASSAGE_WORDS = 256

# Half-open character offsets into the document's text.
Span = tuple[int, int]


def cut(text: str, words: int) -> list[str]:
    """The text as consecutive passages of at most so many white-space words, each verbatim; none for a blank text."""
    return [text[start:end] for start, end in cut_span(text, (0, len(text)), words)]


def cut_at_sentences(
    text: str, sentences: Iterable[Span], words: int = PASSAGE_WORDS, unit: re.Pattern[str] = WORD
) -> list[Span]:
    """Consecutive passages of whole sentences, as many as fit into so many words.

    `sentences` are in reading order and do not overlap. A sentence longer than a passage is cut between its words.
    `unit`: the pattern of a word; by default a run without white space.
    """
    passages: list[Span] = []
    held = words
    for piece in (piece for sentence in sentences for piece in cut_span(text, sentence, words, unit)):
        size = sum(1 for _ in unit.finditer(text, *piece))
        if held + size > words:
            passages.append(piece)
            held = size
        else:
            passages[-1] = (passages[-1][0], piece[1])
            held += size
    return passages


def cut_span(text: str, span: Span, words: int, unit: re.Pattern[str] = WORD) -> Iterator[Span]:
    """The span in pieces of so many words; the last one may have fewer."""
    spans = [match.span() for match in unit.finditer(text, *span)]
    for start in range(0, len(spans), words):
        group = spans[start : start + words]
        yield group[0][0], group[-1][1]
