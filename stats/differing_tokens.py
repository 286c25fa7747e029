"""The score of a completion over the tokens that tell it from another one.

The mean of equation 1 also counts the words that both completions share, whose probabilities differ only for the words
before them. Here a pair (true, false) is scored on each side by the mean log-probability of the tokens that overlap a
word or a mark of punctuation that differs from the other side (stats/edits.py). Where one side has nothing in place of
the other's words, the word after the gap counts on both sides as well (the one before it at the end of the text): the
insertion or omission is felt there. Completions that differ in white space alone are scored whole. The true completion
has one such score for each false one, so examples are decided pair by pair.

References
----------
docs/statistics.md, FACTOR.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np

from stats.arrays import Floats, Ints, ratio
from stats.edits import PIECE, Span, edits


@dataclass(frozen=True)
class CompletionTokens:
    """Tokens of N completions, one completion after the other.

    Attributes
    ----------
    start, end : (T,) int
        Characters [start, end) of each token.
    logprob : (T,)
    count : (N,) int
        How many each completion has, 0 where it has no score.
    """

    start: Ints
    end: Ints
    logprob: Floats
    count: Ints


@dataclass(frozen=True)
class PairSides:
    """Both sides of P pairs, all true ones before all false ones.

    Attributes
    ----------
    completion : (2P,) int
        Number of each side's completion.
    offset, length : (2P,) int
        Where each side's marks begin, and the length of its text.
    marked : int
        For each side one after the other: how many of the first 0, 1, … `length` characters differ.
    """

    completion: Ints
    offset: Ints
    length: Ints
    marked: Ints


def differing_sides(texts: Sequence[str], true: Ints, false: Ints) -> PairSides:
    """Both sides of pairs of completions.

    Parameters
    ----------
    texts : of N completions
    true, false : (P,) int
        Numbers of each pair's completions.
    """
    spans = [telling(texts[one], texts[other]) for one, other in zip(true, false, strict=True)]
    sides = [each[0] for each in spans] + [each[1] for each in spans]
    completion = np.concatenate([true, false]).astype(np.int64)
    length = np.array([len(texts[each]) for each in completion], dtype=np.int64)
    marked = [_running(side, size) for side, size in zip(sides, length.tolist(), strict=True)]
    return PairSides(completion, np.cumsum(length + 1) - (length + 1), length, _joined(marked))


def telling(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """The characters of each text by whose tokens the pair is scored."""
    steps = edits(one, other)
    if not steps:
        return [(0, len(one))], [(0, len(other))]
    gap = [each.one[0] == each.one[1] or each.other[0] == each.other[1] for each in steps]
    return (
        [_widened(one, each.one) if wide else each.one for each, wide in zip(steps, gap, strict=True)],
        [_widened(other, each.other) if wide else each.other for each, wide in zip(steps, gap, strict=True)],
    )


def means_of_differing(sides: PairSides, tokens: CompletionTokens) -> Floats:
    """The mean log-probability (2P,) of each side's telling tokens; nan where its completion has no score.

    A token without characters of its own, a part of one letter, counts with the character that it stands at.
    """
    first = np.cumsum(tokens.count) - tokens.count
    count = tokens.count[sides.completion]
    side = np.repeat(np.arange(len(count)), count)
    token = np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count) + first[sides.completion][side]
    length = sides.length[side]
    start = np.minimum(tokens.start[token], length)
    end = np.minimum(np.maximum(tokens.end[token], start + 1), length)
    telling = sides.marked[sides.offset[side] + end] > sides.marked[sides.offset[side] + start]
    total = np.bincount(side[telling], weights=tokens.logprob[token][telling], minlength=len(count))
    return ratio(total, np.bincount(side[telling], minlength=len(count)))


def _joined(marked: Sequence[Sequence[int]]) -> Ints:
    return np.fromiter(chain.from_iterable(marked), dtype=np.int64)


def _widened(text: str, span: Span) -> Span:
    """The piece with the one after it, or with the one before where it is the last."""
    after = PIECE.search(text, span[1])
    if after is not None:
        return span[0], after.end()
    before = [each.start() for each in PIECE.finditer(text, 0, span[0])]
    return (before[-1] if before else span[0]), span[1]


def _running(spans: Sequence[Span], length: int) -> list[int]:
    marks = [0] * (length + 1)
    for start, end in spans:
        marks[start + 1 : end + 1] = [1] * (end - start)
    return list(accumulate(marks))
