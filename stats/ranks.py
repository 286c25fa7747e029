"""Ranks that say what was shown and no more (definitions.md §6)."""

from itertools import combinations

import numpy as np

from stats.arrays import Flags, Floats

FEWEST_SUBJECTS = 3  # for a correlation


def rank_ranges(better: Flags) -> list[tuple[int, int]]:
    """The range of ranks of each of n: 1 + the number shown better … n − the number shown worse.

    better: (n, n), whether the first was shown better than the second. Not told apart is not transitive, so ranges of
    neighbours overlap without being the same.
    """
    count = len(better)
    return [(1 + int(better[:, place].sum()), count - int(better[place].sum())) for place in range(count)]


def same_order(first: Floats, second: Floats) -> Floats:
    """Whether two scorings (rows, subjects) order the subjects alike, ties included: 1 or 0 a row, nan if unknown."""
    alike = np.ones(len(first))
    for one, other in combinations(range(first.shape[1]), 2):
        differences = np.sign(first[:, one] - first[:, other]) - np.sign(second[:, one] - second[:, other])
        alike = np.where(np.isnan(differences), np.nan, alike * (differences == 0))
    return alike


def pearson(one: list[float | None], other: list[float | None]) -> float | None:
    """Pearson's r over the subjects that both score; None below three of them, or where either scores all alike."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if len(pairs) < FEWEST_SUBJECTS:
        return None
    first, second = np.array(pairs).T
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
