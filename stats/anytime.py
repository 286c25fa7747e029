"""A comparison that one may look at after each new gold label: intervals that hold at all times together.

References
----------
Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting; Ramdas, Grünwald, Vovk and
Shafer (2023), Game-theoretic statistics and safe anytime-valid inference. docs/statistics.md, As the board grows.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import CONFIDENCE

# Means that are tested, an odd number: 0 is among them.
MEANS = 401
LARGEST_BET = 0.75
# Wealth is not counted beyond it.
ENOUGH = 1e100
# What is known of the variance before the first prompt, as one more observation: that of a fair coin.
FIRST_VARIANCE = 0.25


@dataclass(frozen=True)
class RunningInterval:
    """After each of T prompts what is known of the mean of all prompts.

    Attributes
    ----------
    mean : (T,)
        Of the prompts so far.
    low, high : (T,)
        With the stated probability the mean of all prompts lies between them at every time. They never widen.
    evidence : (T,)
        Wealth of a gambler who bets that the mean is not 0: an e-value at every time. Its largest value so far is above
        1 / (1 − probability) just from the time on at which 0 is left out.
    excluded : int | None
        From how many prompts on 0 is left out; None: it is not.
    """

    mean: Floats
    low: Floats
    high: Floats
    evidence: Floats
    excluded: int | None


def accuracy_differences(cluster: Ints, one: Flags, other: Flags, weights: Floats | None = None) -> Floats:
    """Share of the units that the one got right less that of the other, in each of the prompts with units.

    Parameters
    ----------
    cluster, one, other : (N,)
        Prompt of each unit, numbered in the order of arrival, and who got it right.
    weights : (N,)
        Of the units within their prompt, above 0; None: all alike.

    Returns
    -------
    (T,) from −1 to 1, in the order of the numbers of the prompts.
    """
    _, prompt = np.unique(cluster, return_inverse=True)
    weights = np.ones(len(prompt)) if weights is None else weights
    return np.bincount(prompt, weights=weights * (one.astype(np.float64) - other)) / np.bincount(prompt, weights)


def running_interval(differences: Floats, probability: float = CONFIDENCE) -> RunningInterval:
    """The mean of differences as they arrive, in an order that does not depend on them.

    Two gamblers bet against each possible mean, one on a higher one, one on a lower one, with half of the money each.
    Their bets depend on the past only, so that the wealth is a martingale where the mean is the true one, and it ever
    reaches 1 / (1 − probability) with a probability of at most 1 − probability (Ville).

    Parameters
    ----------
    differences : (T,)
        From −1 to 1.
    probability : float
    """
    values = (differences + 1) / 2
    means = np.linspace(0, 1, MEANS)
    middle = MEANS // 2
    limit = 1 / (1 - probability)
    bets = _bets(values, 2 * limit)
    wealth = np.full((2, MEANS), 0.5)
    inside = np.ones(MEANS, dtype=np.bool_)
    low, high, evidence = np.zeros((3, len(values)))
    with np.errstate(divide="ignore"):
        most = LARGEST_BET / np.stack([means, 1 - means])
    for time, (value, bet) in enumerate(zip(values, bets, strict=True)):
        wealth[0] *= 1 + np.minimum(bet, most[0]) * (value - means)
        wealth[1] *= 1 - np.minimum(bet, most[1]) * (value - means)
        wealth = np.minimum(wealth, ENOUGH)
        both = wealth.sum(axis=0)
        inside &= both < limit
        evidence[time] = both[middle]
        low[time], high[time] = _ends(inside, low[time - 1] if time else -1.0, high[time - 1] if time else 1.0)
    outside = np.flatnonzero(np.maximum.accumulate(evidence) >= limit) if len(evidence) else np.array([])
    return RunningInterval(
        mean=np.cumsum(differences) / np.arange(1, len(differences) + 1),
        low=low,
        high=high,
        evidence=evidence,
        excluded=int(outside[0]) + 1 if len(outside) else None,
    )


def _bets(values: Floats, limit: float) -> Floats:
    """Bets of each time from the past: as if the variance so far were known."""
    count = np.arange(1, len(values) + 1)
    means = (0.5 + np.cumsum(values)) / (count + 1)
    variance = (FIRST_VARIANCE + np.cumsum((values - means) ** 2)) / (count + 1)
    before = np.concatenate([[FIRST_VARIANCE], variance[:-1]])
    bets: Floats = np.sqrt(2 * np.log(limit) / (before * count * np.log(1 + count)))
    return bets


def _ends(inside: Flags, low: float, high: float) -> tuple[float, float]:
    """The ends of the means that are left, one step wider to both sides, within the ends before; where none is left the
    ends before stay."""
    places = np.flatnonzero(inside)
    if not len(places):
        return low, high
    first, last = max(int(places[0]) - 1, 0), min(int(places[-1]) + 1, MEANS - 1)
    return max(low, 2 * first / (MEANS - 1) - 1), min(high, 2 * last / (MEANS - 1) - 1)
