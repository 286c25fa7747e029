"""Edit distance of two completions, and the places where they differ.

A word is a run of letters, digits and underscores; punctuation is none. On the published News-FACTOR these words give
table 2 as it is printed (2.08 ± 1.38, printed 2.1 ± 1.4); words split at white space alone give 2.05.

References
----------
Muhlgay et al. (2024), FACTOR, §3.1 and table 2. docs/statistics.md, Edit distance.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

WORD = re.compile(r"\w+")
# The tokens that are compared to show differences of two texts: words, and each mark of punctuation.
PIECE = re.compile(r"\w+|[^\w\s]")

# The characters [start, end) of a text.
Span = tuple[int, int]


@dataclass(frozen=True)
class TextEdit:
    """A place where one text has some characters and the other others; an empty span where one of them has nothing."""

    one: Span
    other: Span


def words(text: str) -> list[str]:
    """The words of a text."""
    return WORD.findall(text)


def distance(one: str, other: str) -> int:
    """The number of words to insert, remove or replace to turn one text into the other; case counts."""
    before, after, _ = _middles(words(one), words(other))
    return _table(before, after)[-1][-1]


def mean_distance(true: str, false: Sequence[str]) -> float | None:
    """The mean distance of an example's false completions from the true one; None without any.

    The distance of a benchmark is the mean of these, so each example counts once, and ± is their standard deviation.
    """
    return fmean(distance(true, each) for each in false) if false else None


def edits(one: str, other: str) -> list[TextEdit]:
    """The edits between two texts from left to right: a shortest way over words and punctuation.

    Neighbouring pieces that differ are one edit, which reaches from the first to the last of them.
    """
    pieces, others = [list(PIECE.finditer(text)) for text in (one, other)]
    return [
        TextEdit(_characters(pieces, i, j, len(one)), _characters(others, k, m, len(other)))
        for i, j, k, m in replaced([each[0] for each in pieces], [each[0] for each in others])
    ]


def replaced(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The longest runs [i, j) of one's tokens that [k, m) of the other's replace, by a shortest way, left to right."""
    before, after, start = _middles(one, other)
    return [(i + start, j + start, k + start, m + start) for i, j, k, m in _runs(before, after)]


def differing(one: str, other: str) -> tuple[list[Span], list[Span]]:
    """The characters of each text that the other does not have, to be marked in both."""
    steps = edits(one, other)
    return [each.one for each in steps if _is_any(each.one)], [each.other for each in steps if _is_any(each.other)]


def common_prefix(one: str, other: str) -> str:
    """The common beginning of two texts, in whole words between white space and without white space at its end.

    A model goes on from it in open-ended generation.

    References
    ----------
    Muhlgay et al. (2024), FACTOR, §6.1.
    """
    shared = one[: next((place for place in range(len(one)) if one[place] != other[place : place + 1]), len(one))]
    if all(text[len(shared) : len(shared) + 1].strip() == "" for text in (one, other)):
        return shared.rstrip()
    return shared[: len(shared) - len(re.split(r"\s", shared)[-1])].rstrip()


def _is_any(span: Span) -> bool:
    return span[0] < span[1]


def _middles(one: Sequence[str], other: Sequence[str]) -> tuple[Sequence[str], Sequence[str], int]:
    """Both without their common beginning and end, and the length of the common beginning."""
    shorter = min(len(one), len(other))
    start = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    rest = shorter - start
    end = next((place for place in range(rest) if one[-1 - place] != other[-1 - place]), rest)
    return one[start : len(one) - end], other[start : len(other) - end], start


def _table(one: Sequence[str], other: Sequence[str]) -> list[list[int]]:
    """Row i, column j: the distance of the first i of one from the first j of the other."""
    table = [list(range(len(other) + 1))]
    for i, ours in enumerate(one, 1):
        row = [i]
        for j, theirs in enumerate(other, 1):
            row.append(min(table[-1][j] + 1, row[-1] + 1, table[-1][j - 1] + (ours != theirs)))
        table.append(row)
    return table


def _runs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The longest runs [i, j) of one that replace [k, m) of the other, from left to right."""
    table = _table(one, other)
    i, k = len(one), len(other)
    runs: list[tuple[int, int, int, int]] = []
    while i or k:
        if i and k and one[i - 1] == other[k - 1] and table[i][k] == table[i - 1][k - 1]:
            i, k = i - 1, k - 1
            continue
        end = (i, k)
        while (i or k) and not (i and k and one[i - 1] == other[k - 1] and table[i][k] == table[i - 1][k - 1]):
            i, k = _step(table, i, k)
        runs.append((i, end[0], k, end[1]))
    return runs[::-1]


def _step(table: list[list[int]], i: int, k: int) -> tuple[int, int]:
    """The place before (i, k) on a shortest way: by a replaced piece, else one taken out, else one put in."""
    if i and k and table[i][k] == table[i - 1][k - 1] + 1:
        return i - 1, k - 1
    if i and table[i][k] == table[i - 1][k] + 1:
        return i - 1, k
    return i, k - 1


def _characters(pieces: Sequence[re.Match[str]], start: int, end: int, length: int) -> Span:
    """The span from the first piece to the last; without any it is empty, before the next piece."""
    if start < end:
        return pieces[start].start(), pieces[end - 1].end()
    place = pieces[start].start() if start < len(pieces) else length
    return place, place
