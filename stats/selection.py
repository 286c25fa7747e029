"""Selection among candidates by price and figure, and the worth of the best on data that did not choose it.

References
----------
docs/statistics.md, Corrections, thresholds, calibration.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.detection import ConfusionCounts, f1


def pareto_front(prices: Floats, figures: Floats) -> Flags:
    """Whether no other candidate beats each: none is as cheap and better, or cheaper and as good.

    Parameters
    ----------
    prices, figures : (N,)
        nan where not known; such a candidate is never on the front.

    Returns
    -------
    (N,) bool
    """
    front = ~np.isnan(prices) & ~np.isnan(figures)
    best = -np.inf
    for price in np.unique(prices[front]):
        alike = front & (prices == price)
        highest = figures[alike].max()
        front &= ~alike | ((figures == highest) & (highest > best))
        best = max(best, highest)
    return front


def best_under(prices: Floats, figures: Floats, limit: float | None) -> int | None:
    """The place of the candidate with the highest figure that costs at most `limit`.

    Among equals it is the cheaper one. Without a limit the price is no matter, known or not.

    Parameters
    ----------
    prices, figures : (N,)
    limit : float, or None

    Returns
    -------
    None where there is none.
    """
    allowed = np.flatnonzero(affordable(prices, limit) & ~np.isnan(figures))
    if not len(allowed):
        return None
    cheap = np.where(np.isnan(prices), np.inf, prices)
    return int(min(allowed, key=lambda place: (-figures[place], cheap[place], place)))


def affordable(prices: Floats, limit: float | None) -> Flags:
    """Whether each candidate costs at most `limit`; a price that is not known (nan) is not known to be within it."""
    if limit is None:
        return np.ones(len(prices), dtype=np.bool_)
    within: Flags = np.nan_to_num(prices, nan=np.inf) <= limit
    return within


@dataclass(frozen=True)
class HeldOut:
    """The worth of a choice on held-out data.

    Attributes
    ----------
    f1 : float
        Pooled over the folds, each judged by the candidate that the other folds chose; nan if undefined.
    chosen : (N,) int
        How many folds chose each candidate.
    """

    f1: float
    chosen: Ints


def hold_out(counts: ConfusionCounts, fold: Ints, allowed: Flags) -> HeldOut | None:
    """The choice of the highest F1 on all folds but one, measured on that one; each fold in turn.

    Parameters
    ----------
    counts : ConfusionCounts of arrays (candidates, clusters)
    fold : (clusters,) int
    allowed : (candidates,) bool
        Those to choose from. A price does not depend on gold, so that it may be known beforehand.

    Returns
    -------
    None where nothing can be chosen in some fold.
    """
    stacked = np.stack([counts.tp, counts.fp, counts.fn, counts.tn])
    pooled, chosen = np.zeros(4), np.zeros(stacked.shape[1], dtype=np.int64)
    whole = stacked.sum(axis=2)
    for number in np.unique(fold):
        held = stacked[:, :, fold == number].sum(axis=2)
        figures = np.where(allowed, f1(ConfusionCounts(*(whole - held))), np.nan)
        if np.isnan(figures).all():
            return None
        best = int(np.nanargmax(figures))
        chosen[best] += 1
        pooled += held[:, best]
    return HeldOut(float(f1(ConfusionCounts(*pooled))), chosen)


FOLDS = 10
SEED = 20_231


def grouped_folds(strata: Ints, folds: int = FOLDS, seed: int = SEED) -> Ints:
    """The fold of each cluster, for cross-validation with whole prompts together.

    Clusters are shuffled within their strata and dealt out in turn, so that folds are of a size and each stratum is
    spread over them.

    Parameters
    ----------
    strata : (C,) int
    folds : int
    seed : int

    Returns
    -------
    (C,) int
    """
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(len(strata))
    in_turn = shuffled[np.argsort(strata[shuffled], kind="stable")]
    fold = np.empty(len(strata), dtype=np.int64)
    fold[in_turn] = np.arange(len(strata)) % folds
    return fold
