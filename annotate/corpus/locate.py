"""Where the segments of a response stand in it.

Published segments do not always repeat the response letter by letter: white space differs, a line break is at times the
two characters `\\n`, and quotation marks are escaped once or twice. White space and backslashes are passed over in the
comparison; every other character must agree.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence

Span = tuple[int, int]

# White space, backslashes, and the literal escapes that stand for white space (but not the n of LaTeX's \neq).
FILLING = re.compile(r"\s+|\\+(?:[nrt](?![a-z]))?")


def locate(text: str, segments: Sequence[str]) -> list[Span | None]:
    """Half-open character offsets of each segment in `text`, in reading order.

    None: the segment has nothing but filling, or is not found after the segment located before it.
    """
    condensed = _Condensed(text)
    spans: list[Span | None] = []
    end = 0
    for segment in segments:
        span = _exactly_next(text, segment, end) or condensed.find(segment, end)
        spans.append(span)
        if span is not None:
            end = span[1]
    return spans


def locate_everywhere(text: str, piece: str) -> list[Span]:
    """The offsets of every place where the piece stands in `text`, from the first one; of those that overlap the first.
    [] where it has nothing but filling."""
    condensed, places, end = _Condensed(text), list[Span](), 0
    while (span := condensed.find(piece, end)) is not None:
        places.append(span)
        end = span[1]
    return places


def _exactly_next(text: str, segment: str, after: int) -> Span | None:
    """The segment as it is written, if only filling stands between it and `after`."""
    lead = _skip_filling(segment, 0)
    start = _skip_filling(text, after) - lead
    if lead == len(segment) or start < after or not text.startswith(segment, start):
        return None
    return start, start + len(segment)


def _skip_filling(text: str, offset: int) -> int:
    while filling := FILLING.match(text, offset):
        offset = filling.end()
    return offset


class _Condensed:
    """A text without its filling, and the way back from its characters to the text's."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._letters: str | None = None
        self._offsets = array("I")

    def find(self, segment: str, after: int) -> Span | None:
        """The first place at or after `after` where the segment stands, filling left aside."""
        wanted = FILLING.sub("", segment)
        if not wanted:
            return None
        letters = self._condense()
        place = letters.find(wanted, self._count_before(after))
        if place < 0:
            return None
        return self._offsets[place], self._offsets[place + len(wanted) - 1] + 1

    def _condense(self) -> str:
        # Made only when a segment is not simply the next thing in the text: most are.
        if self._letters is None:
            stretches: list[str] = []
            start = 0
            for filling in FILLING.finditer(self.text):
                stretches.append(self.text[start : filling.start()])
                self._offsets.extend(range(start, filling.start()))
                start = filling.end()
            stretches.append(self.text[start:])
            self._offsets.extend(range(start, len(self.text)))
            self._letters = "".join(stretches)
        return self._letters

    def _count_before(self, offset: int) -> int:
        return bisect_left(self._offsets, offset)
