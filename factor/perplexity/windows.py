"""A document in windows that a language model can read."""

from collections.abc import Sequence
from dataclasses import dataclass

from factor.tokens import Span


@dataclass(frozen=True)
class Window:
    """The characters [start, end) whose tokens are counted, after [before, start): the one token that precedes them."""

    before: int
    start: int
    end: int


def windows(text: str, spans: Sequence[Span], most: int) -> list[Window]:
    """Consecutive windows of at most `most` tokens, of which the first is the last one of the window before.

    So every token of the document is counted once, but for its first, before which nothing stands. `spans`: where the
    tokens of the text stand. A window ends before white space, where tokenizers cut a text too: what they make of the
    piece is then what they make of it in the whole. Only where there is no such place it ends with its last token.
    """
    found, first = [], 1
    while first < len(spans):
        last = _end(text, spans, first, first + most - 1)
        found.append(Window(spans[first - 1][0], spans[first][0], spans[last - 1][1]))
        first = last
    return found


def _end(text: str, spans: Sequence[Span], first: int, most: int) -> int:
    """The place of the token before which a window that counts from `first` on ends, at most `most`."""
    if most >= len(spans):
        return len(spans)
    parted = (place for place in range(most, first, -1) if _parts(text, spans[place - 1][1], spans[place][0]))
    return next(parted, most)


def _parts(text: str, end: int, start: int) -> bool:
    """Whether white space begins where one token ends and another begins."""
    return start >= end and text[end].isspace() and not text[end - 1].isspace()
