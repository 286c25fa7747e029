"""Several hypotheses decided together, step by step, over draws that all of them share.

The familywise error is the chance that any hypothesis is rejected wrongly.

References
----------
Romano and Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing; Westfall and Young
(1993), Resampling-based multiple testing. docs/statistics.md, Many pairs at once.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import ROUNDING

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class StepDown:
    """The outcome of H hypotheses.

    Attributes
    ----------
    p : (H,)
        Adjusted p; nan where there is nothing to test.
    critical : (H,)
        The statistic has to exceed it to be significant: the value of the step at which the hypothesis was decided.
        inf where there are too few draws for any verdict.
    """

    p: Floats
    critical: Floats

    @property
    def significant(self) -> Flags:
        significant: Flags = self.p < SIGNIFICANT
        return significant


def step_down(observed: Floats, draws: Floats) -> StepDown:
    """Decide the hypothesis with the largest statistic against the largest of all, the next against those that remain.

    A hypothesis is rejected where its statistic exceeds the critical value of the largest statistic among itself and
    all that come after it, and where all before it were rejected. p = (1 + draws as extreme) / (1 + draws), and no p is
    below that of an earlier hypothesis.

    Parameters
    ----------
    observed : (H,)
        Statistics on one scale, larger is more extreme; nan where there is nothing to test.
    draws : (B, H)
        The same statistics in draws under the null hypothesis, inf where undefined. The draws are joint: a row belongs
        to one draw. A column may hold the largest of several statistics, where a hypothesis was chosen among them.

    Returns
    -------
    StepDown
    """
    p: Floats = np.full(len(observed), np.nan)
    critical: Floats = np.full(len(observed), np.nan)
    order = descending(observed)
    if not len(order):
        return StepDown(p, critical)
    values = observed[order]
    # Column k: the largest among the hypotheses from the k-th on.
    largest = np.maximum.accumulate(draws[:, order[::-1]], axis=1)[:, ::-1]
    extreme = (largest >= values - ROUNDING).sum(axis=0)
    p[order] = np.maximum.accumulate((1 + extreme) / (1 + len(draws)))
    critical[order] = _critical_values(values, largest)
    return StepDown(p, critical)


@dataclass(frozen=True)
class Studentised:
    """Differences on one scale.

    Attributes
    ----------
    observed : (H,)
        |difference| / scale; nan where there is no difference to test.
    draws : (B, H)
        The same in each permutation; inf where the figure is undefined.
    scale : (H,)
        Root of the mean square of the difference over permutations; 0 where no permutation differs.
    """

    observed: Floats
    draws: Floats
    scale: Floats


def studentise(observed: Floats, permutations: Floats) -> Studentised:
    """Differences (H,) and their permutations (B, H) on one scale."""
    undefined = np.isnan(permutations)
    scale = np.sqrt(np.nansum(permutations**2, axis=0) / np.maximum(1, (~undefined).sum(axis=0)))
    divisor = np.where(scale > ROUNDING, scale, np.inf)
    draws = np.where(undefined, np.inf, np.abs(permutations) / divisor)
    return Studentised(np.abs(observed) / divisor, draws, np.where(scale > ROUNDING, scale, 0.0))


def descending(observed: Floats) -> Ints:
    """The places of the statistics that are known, the largest first."""
    tested = np.flatnonzero(~np.isnan(observed))
    return tested[np.argsort(-observed[tested], kind="stable")]


def _critical_values(values: Floats, largest: Floats) -> Floats:
    """The critical value of each hypothesis's step: all that are rejected in one step share it, and so do those left.

    Parameters
    ----------
    values : (H,)
        Statistics in falling order.
    largest : (B, H)
        The largest statistic among the hypotheses from each on.
    """
    critical = np.empty(len(values))
    start = 0
    while start < len(values):
        critical[start:] = _critical_value(largest[:, start])
        rejected = int((values[start:] > critical[start]).sum())
        if not rejected:
            break
        start += rejected
    return critical


def _critical_value(draws: Floats) -> float:
    """The smallest value that a statistic has to exceed for a p below SIGNIFICANT; inf with too few draws."""
    at_most = ceil(SIGNIFICANT * (len(draws) + 1)) - 2  # as many draws may be as extreme
    if at_most < 0:
        return np.inf
    return float(np.partition(draws, len(draws) - 1 - at_most)[len(draws) - 1 - at_most]) + ROUNDING


def joined(observed: Floats, draws: Floats, pairs: list[tuple[int, int]], among: Floats) -> Floats:
    """Draws of a leader's hypotheses, each with the pairs among its rivals that leave together with it.

    The leader was chosen because its figure is the highest. Chance chose among all pairs of those that could have been
    the leader, so their pairs count as long as both remain.

    Parameters
    ----------
    observed : (H,)
        Statistics of the leader against each rival.
    draws : (B, H)
    pairs : M pairs of rivals by their places from 0 to H − 1
    among : (B, M)
        Draws of the statistics of these pairs.

    Returns
    -------
    (B, H) for `step_down`.
    """
    place = np.full(len(observed), len(observed))
    order = descending(observed)
    place[order] = np.arange(len(order))
    largest = draws.copy()
    for column, (one, other) in enumerate(pairs):
        first = one if place[one] < place[other] else other
        if place[one] < len(order) and place[other] < len(order):
            np.maximum(largest[:, first], among[:, column], out=largest[:, first])
    return largest
