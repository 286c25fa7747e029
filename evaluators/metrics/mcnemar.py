"""The exact McNemar test: for accuracy over units that are independent of each other, such as whole responses
(docs/statistics.md, Intervals and tests)."""

import numpy as np


def mcnemar(only_one: int, only_other: int) -> float:
    """The two-sided p of two evaluators being right equally often.

    only_one, only_other: the units that only the one, and only the other, got right; without any, p is 1.
    """
    split, fewer = only_one + only_other, min(only_one, only_other)
    places = np.arange(1, fewer + 1)
    # Logarithms of the binomial coefficients from 0 to `fewer`: they overflow beyond a thousand units otherwise.
    ways = np.concatenate([[0.0], np.cumsum(np.log((split - places + 1) / places))])
    return min(1.0, 2 * float(np.exp(ways - split * np.log(2)).sum()))
