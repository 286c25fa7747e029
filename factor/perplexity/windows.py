"""A document in windows that a language model can read."""

from collections.abc import Sequence
from dataclasses import dataclass

from factor.language_models.tokens import Span


@dataclass(frozen=True)
class Window:
    """The characters [start, end) whose tokens are counted, after [before, start): the one token that precedes them,
    or all those of the character that it is a part of."""

    before: int
    start: int
    end: int


def windows(text: str, spans: Sequence[Span], most: int) -> list[Window]:
    """Consecutive windows of at most `most` tokens, of which the first is the last one of the window before.

    So every token of the document is counted once, but for its first, before which nothing stands. `spans`: where the
    tokens of the text stand. A window ends before white space, where tokenizers cut a text too: what they make of the
    piece is then what they make of it in the whole. Only where there is no such place it ends with its last token.

    Tokens that share a character stay together, as a text cannot be cut between them: those of the first character are
    all not counted, and only where such a group does not fit a window has more tokens than `most`.
    """
    parts, before, first = [], 0, _next_character(spans, 1)
    while first < len(spans):
        last = _end(text, spans, first, before + most)
        parts.append(Window(spans[before][0], spans[first][0], spans[last - 1][1]))
        before, first = _character_of(spans, last - 1), last
    return parts


def _end(text: str, spans: Sequence[Span], first: int, most: int) -> int:
    """The place of the token before which a window that counts from `first` on ends, at most `most` if it can."""
    if most >= len(spans):
        return len(spans)
    ends = [place for place in range(most, first, -1) if _begins_character(spans, place)]
    parted = (place for place in ends if _parts(text, spans[place - 1][1]))
    return next(parted, ends[0] if ends else _next_character(spans, max(most, first) + 1))


def _begins_character(spans: Sequence[Span], place: int) -> bool:
    """Whether the token shares no character with those before it."""
    return place == 0 or spans[place][0] >= spans[place - 1][1]


def _next_character(spans: Sequence[Span], place: int) -> int:
    """The first place from there on whose token begins a character; the number of tokens where there is none."""
    return next((each for each in range(place, len(spans)) if _begins_character(spans, each)), len(spans))


def _character_of(spans: Sequence[Span], place: int) -> int:
    """The last place up to there whose token begins a character."""
    return next(each for each in range(place, -1, -1) if _begins_character(spans, each))


def _parts(text: str, end: int) -> bool:
    """Whether white space begins where a token ends."""
    return text[end].isspace() and not text[end - 1].isspace()
