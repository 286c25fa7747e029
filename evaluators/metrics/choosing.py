"""Choosing among candidates by price and figure: who is beaten on both, and what the best keeps on data that did not
choose it, by the same nesting as for thresholds (docs/statistics.md, Corrections, thresholds, calibration)."""

from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import Flags, Floats, Ints

from evaluators.metrics.detection import Counts, f1


def pareto_front(prices: Floats, figures: Floats) -> Flags:
    """Which candidates no other beats: none is as cheap and better, or cheaper and as good. nan: never on it."""
    front = ~np.isnan(prices) & ~np.isnan(figures)
    best = -np.inf
    for price in np.unique(prices[front]):
        alike = front & (prices == price)
        highest = figures[alike].max()
        front &= ~alike | ((figures == highest) & (highest > best))
        best = max(best, highest)
    return front


def best_under(prices: Floats, figures: Floats, limit: float | None) -> int | None:
    """The candidate with the highest figure that costs at most `limit`, the cheaper of those alike; None: there is
    none. Without a limit the price is no matter, known or not."""
    allowed = np.flatnonzero(affordable(prices, limit) & ~np.isnan(figures))
    if not len(allowed):
        return None
    cheap = np.where(np.isnan(prices), np.inf, prices)
    return int(min(allowed, key=lambda place: (-figures[place], cheap[place], place)))


def affordable(prices: Floats, limit: float | None) -> Flags:
    """Those that cost at most `limit`; a price that is not known (nan) is not known to be within it."""
    if limit is None:
        return np.ones(len(prices), dtype=np.bool_)
    within: Flags = np.nan_to_num(prices, nan=np.inf) <= limit
    return within


@dataclass(frozen=True)
class HeldOut:
    """What the choice keeps. f1: pooled over the folds, each judged by the candidate that the other folds chose, nan if
    undefined. chosen: of each candidate, how many folds chose it."""

    f1: float
    chosen: Ints


def hold_out(counts: Counts, fold: Ints, allowed: Flags) -> HeldOut | None:
    """Choose the candidate with the highest F1 on all folds but one, and count how it does on that one; in turn.

    counts: arrays (candidates, clusters). fold: of each cluster. allowed: the candidates there are to choose from; a
    price is none of gold's doing, so that it may be known beforehand. None: nothing can be chosen in some fold.
    """
    stacked = np.stack([counts.tp, counts.fp, counts.fn, counts.tn])
    pooled, chosen = np.zeros(4), np.zeros(stacked.shape[1], dtype=np.int64)
    whole = stacked.sum(axis=2)
    for number in np.unique(fold):
        held = stacked[:, :, fold == number].sum(axis=2)
        figures = np.where(allowed, f1(Counts(*(whole - held))), np.nan)
        if np.isnan(figures).all():
            return None
        best = int(np.nanargmax(figures))
        chosen[best] += 1
        pooled += held[:, best]
    return HeldOut(float(f1(Counts(*pooled))), chosen)
