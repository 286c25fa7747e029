"""What a rater reads: the end of the prefix, and both completions with the words in which they differ."""

from dataclasses import dataclass

from stats.edits import Span, differing

# So many characters of the prefix are in sight, from the start of a sentence or a line; the rest folds open.
NEAR = 700


@dataclass(frozen=True)
class Piece:
    text: str
    differs: bool


@dataclass(frozen=True)
class Reading:
    far: str
    near: str
    true: list[Piece]
    false: list[Piece]


def read_for(prefix: str, true: str, false: str) -> Reading:
    far, near = fold(prefix)
    of_true, of_false = differing(true, false)
    return Reading(far, near, pieces(true, of_true), pieces(false, of_false))


def fold(prefix: str) -> tuple[str, str]:
    """The prefix in two: what folds away ("" where it is short), and its end."""
    if len(prefix) <= NEAR:
        return "", prefix
    start = len(prefix) - NEAR
    ends = [prefix.find(mark, start) + len(mark) for mark in (". ", "\n") if prefix.find(mark, start) >= 0]
    cut = min((end for end in ends if len(prefix) - end > NEAR // 2), default=prefix.find(" ", start) + 1 or start)
    return prefix[:cut], prefix[cut:]


def pieces(text: str, spans: list[Span]) -> list[Piece]:
    """The text in order, cut where what differs begins and ends."""
    found, place = [], 0
    for start, end in spans:
        found += [Piece(text[place:start], False), Piece(text[start:end], True)]
        place = end
    return [piece for piece in (*found, Piece(text[place:], False)) if piece.text]
