"""Ranks that say what was shown and no more (docs/statistics.md, Intervals and tests)."""

from annotate.agreement.resampling import Flags


def rank_ranges(better: Flags) -> list[tuple[int, int]]:
    """The range of ranks of each of n: 1 + the number shown better … n − the number shown worse.

    better: (n, n), whether the first was shown better than the second. Not told apart is not transitive, so ranges of
    neighbours overlap without being the same.
    """
    count = len(better)
    return [(1 + int(better[:, place].sum()), count - int(better[place].sum())) for place in range(count)]
