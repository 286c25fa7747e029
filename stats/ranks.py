"""Ranks and orders of evaluators and subjects."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from stats.arrays import Flags, Floats

FEWEST_SUBJECTS = 3  # for a correlation


def rank_of(value: float, values: Iterable[float]) -> int:
    """The rank of a figure among figures: 1 + the number that are higher. Equal figures share the first of their ranks.

    The one rule for ties: leaderboards, comparisons and rankings of subjects go by it.

    References
    ----------
    docs/statistics.md, Intervals and tests.
    """
    return 1 + sum(other > value for other in values)


def rank_ranges(better: Flags) -> list[tuple[int, int]]:
    """The range of ranks of each of n.

    It goes from 1 + the number of significantly better ones to n − the number of significantly worse ones.

    The absence of a significant difference is not transitive: ranges of neighbours overlap and differ.

    Parameters
    ----------
    better : (n, n) bool
        The first is significantly better than the second.

    References
    ----------
    docs/statistics.md, Intervals and tests.
    """
    count = len(better)
    return [(1 + int(better[:, place].sum()), count - int(better[place].sum())) for place in range(count)]


def better_than(count: int, found: Iterable[tuple[tuple[int, int], int | None]]) -> Flags:
    """Which of `count` is significantly better than which, for `rank_ranges`.

    Parameters
    ----------
    found : of each pair the places, and the place of the better one; None where neither is

    Returns
    -------
    (count, count) bool
    """
    better = np.zeros((count, count), dtype=np.bool_)
    for places, place in found:
        if place is not None:
            better[place, sum(places) - place] = True
    return better


def same_order(first: Floats, second: Floats) -> Floats:
    """Whether two scorings order the subjects alike, ties included.

    Parameters
    ----------
    first, second : (rows, subjects)

    Returns
    -------
    (rows,); 1 or 0, nan where a score is nan.
    """
    alike = np.ones(len(first))
    for one, other in combinations(range(first.shape[1]), 2):
        differences = np.sign(first[:, one] - first[:, other]) - np.sign(second[:, one] - second[:, other])
        alike = np.where(np.isnan(differences), np.nan, alike * (differences == 0))
    return alike


def pearson(one: list[float | None], other: list[float | None]) -> float | None:
    """Pearson's r over the subjects that both score (None: no score).

    Returns
    -------
    None below three such subjects, and where either scores all alike.

    References
    ----------
    docs/statistics.md, FActScore of a subject model.
    """
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if len(pairs) < FEWEST_SUBJECTS:
        return None
    first, second = np.array(pairs).T
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
