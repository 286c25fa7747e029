"""Cutting a document into passages."""

import re
from collections.abc import Iterable, Iterator

WORD = re.compile(r"\S+")
# As many words as a passage of FActScore's knowledge source has at most (§4.1).
PASSAGE_WORDS = 256

# Half-open character offsets into the document's text.
Span = tuple[int, int]


def cut(text: str, words: int) -> list[str]:
    """The text as consecutive passages of at most so many white-space words, each verbatim; none for a blank text."""
    return [text[start:end] for start, end in _by_words(text, (0, len(text)), words)]


def cut_at_sentences(text: str, sentences: Iterable[Span], words: int = PASSAGE_WORDS) -> list[Span]:
    """Consecutive passages of whole sentences, as many as fit into so many white-space words.

    `sentences` are in reading order and do not overlap. One that is longer than a passage is cut between its words.
    """
    passages: list[Span] = []
    held = words
    for piece in (piece for sentence in sentences for piece in _by_words(text, sentence, words)):
        size = len(WORD.findall(text, *piece))
        if held + size > words:
            passages.append(piece)
            held = size
        else:
            passages[-1] = (passages[-1][0], piece[1])
            held += size
    return passages


def _by_words(text: str, span: Span, words: int) -> Iterator[Span]:
    """The span in pieces of so many words; the last one may have fewer."""
    found = [match.span() for match in WORD.finditer(text, *span)]
    for start in range(0, len(found), words):
        group = found[start : start + words]
        yield group[0][0], group[-1][1]
