"""Cutting a response into segments that give it back exactly.

Added up, the segments must give the response, letter by letter, from its first to its last character that is no white
space. White space between two segments, before the first and after the last belongs to the response and to no segment;
inside a segment it counts like any other character, but that a line may end in any way lines end.
"""

import re
from collections.abc import Iterable, Sequence

Span = tuple[int, int]

SEPARATOR_LENGTH = 5
SHOWN = 40
WHITE_SPACE = re.compile(r"\s*")
LINE_END = re.compile(r"\r\n|\r|\n")


class CutError(ValueError):
    """The segments do not give the response; the message says where, and can stand in the middle of a sentence."""


def separator_for(text: str) -> str:
    """Asterisks, five as in FELM's table 3, or one more than stand side by side in the text."""
    longest = max((len(run) for run in re.findall(r"\*+", text)), default=0)
    return "*" * max(SEPARATOR_LENGTH, longest + 1)


def pieces_of(answer: str, separator: str) -> list[str]:
    """Pieces between the separators. Asterisks that touch a separator belong to the piece before it."""
    return re.split(re.escape(separator) + r"(?!\*)", answer)


def joined(text: str, spans: Iterable[Sequence[int]]) -> str:
    """The segments as a person cuts them without a script: a separator on a line of its own between two."""
    return f"\n{separator_for(text)}\n".join(text[start:end] for start, end in spans)


def cut(text: str, pieces: Iterable[str]) -> list[Span]:
    """Half-open offsets of the pieces in the text; blank pieces are passed over. Raises CutError."""
    spans: list[Span] = []
    place = _after_white_space(text, 0)
    for number, piece in enumerate(filter(None, (piece.strip() for piece in pieces)), start=1):
        match = re.compile(r"(?:\r\n|\r|\n)".join(map(re.escape, LINE_END.split(piece)))).match(text, place)
        if match is None:
            raise CutError(f"segment {number} does not go on where the response does, at “{_excerpt(text[place:])}”")
        spans.append(match.span())
        place = _after_white_space(text, match.end())
    return check(text, spans)


def check(text: str, spans: Sequence[Sequence[int]]) -> list[Span]:
    """The spans, white space at their ends left out. Raises CutError where they do not give the whole text."""
    checked: list[Span] = []
    place = 0
    for number, (start, end) in enumerate(spans, start=1):
        if not place <= start < end <= len(text) or not text[start:end].strip():
            raise CutError(f"segment {number} is empty or out of its place")
        _refuse_left_out(text, place, start)
        segment = text[start:end]
        lead = len(segment) - len(segment.lstrip())
        checked.append((start + lead, start + lead + len(segment.strip())))
        place = end
    _refuse_left_out(text, place, len(text))
    return checked


def closed(text: str, spans: Sequence[Sequence[int]]) -> list[Span]:
    """Spans that may leave text out, widened to cover all of it: omitted text goes to the segment before it, at the
    beginning to the first."""
    starts = [0, *(start for start, _ in spans[1:])]
    ends = [*starts[1:], len(text)]
    return check(text, [(start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()])


def _refuse_left_out(text: str, start: int, end: int) -> None:
    left_out = text[start:end].strip()
    if left_out:
        raise CutError(f"“{_excerpt(left_out)}” is in no segment")


def _after_white_space(text: str, place: int) -> int:
    match = WHITE_SPACE.match(text, place)
    return match.end() if match else place


def _excerpt(text: str) -> str:
    text = " ".join(text[: SHOWN + 1].split())
    return f"{text[:SHOWN]}…" if len(text) > SHOWN else text or "its end"
