"""A pair as people see it: what stands before, what both completions begin with, and where they part."""

from dataclasses import dataclass
from itertools import pairwise

from factor.models import Completion, OpenEndedPair
from stats.edits import Span, differing

# Of the prefix so many characters are shown at first; a sentence or two before an edit are enough in most pairs.
NEAR = 600

Piece = tuple[str, bool]


@dataclass(frozen=True)
class ShownPair:
    """far, near: the prefix, its end apart. true, false: pieces of text, each with whether the other lacks it."""

    far: str
    near: str
    common: str
    true: list[Piece]
    false: list[Piece]


def shown_pair(pair: OpenEndedPair) -> ShownPair:
    false = pair.completion
    true = Completion.objects.get(example=false.example_id, place=0)
    prefix = false.example.scored_prefix
    cut = max(0, len(prefix) - NEAR)
    marked, other = differing(true.text, false.text)
    return ShownPair(prefix[:cut], prefix[cut:], pair.common, pieces(true.text, marked), pieces(false.text, other))


def pieces(text: str, marked: list[Span]) -> list[Piece]:
    """The text cut at the ends of the marked spans; pieces without a character are left out."""
    edges = [(0, 0), *marked, (len(text), len(text))]
    cut = []
    for (_, before), (start, end) in pairwise(edges):
        cut += [(text[before:start], False), (text[start:end], True)]
    return [piece for piece in cut if piece[0]]
