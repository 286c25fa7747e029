"""The text that a rater reads: the end of the prefix, and both completions with the words in which they differ."""

from dataclasses import dataclass

from stats.edits import Span, differing

# The number of characters of the prefix in sight, from the start of a sentence or a line; the rest folds open.
NEAR = 700


@dataclass(frozen=True)
class CompletionPiece:
    """A part of a completion; `differs`: the other completion lacks it."""

    text: str
    differs: bool


@dataclass(frozen=True)
class CompletionReading:
    """`far` is the part of the prefix that folds away, `near` its end; both completions are in pieces."""

    far: str
    near: str
    true: list[CompletionPiece]
    false: list[CompletionPiece]


def read_for(prefix: str, true: str, false: str) -> CompletionReading:
    far, near = fold(prefix)
    of_true, of_false = differing(true, false)
    return CompletionReading(far, near, pieces(true, of_true), pieces(false, of_false))


def fold(prefix: str) -> tuple[str, str]:
    """The prefix in two: the part that folds away ("" where it is short), and its end."""
    if len(prefix) <= NEAR:
        return "", prefix
    start = len(prefix) - NEAR
    ends = [prefix.find(mark, start) + len(mark) for mark in (". ", "\n") if prefix.find(mark, start) >= 0]
    cut = min((end for end in ends if len(prefix) - end > NEAR // 2), default=prefix.find(" ", start) + 1 or start)
    return prefix[:cut], prefix[cut:]


def pieces(text: str, spans: list[Span]) -> list[CompletionPiece]:
    """The text in order, cut at both ends of every span that differs."""
    parts, place = [], 0
    for start, end in spans:
        parts += [CompletionPiece(text[place:start], False), CompletionPiece(text[start:end], True)]
        place = end
    return [piece for piece in (*parts, CompletionPiece(text[place:], False)) if piece.text]
