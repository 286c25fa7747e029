"""The threshold that scores are best used with, and its worth on prompts that did not choose it.

References
----------
docs/statistics.md, Corrections, thresholds, calibration.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats
from stats.bootstrap import ROUNDING, Interval, Resampling, cluster_sums
from stats.curves import ScoredUnits, curve_of
from stats.detection import ConfusionCounts, f1
from stats.intervals import difference_interval, effective_interval
from stats.selection import grouped_folds

TIE = 0.5

TOO_FEW = "fewer than two prompts have scores"
ONE_SIDED = "some training folds hold no error"


@dataclass(frozen=True)
class MeasuredF1:
    """An F1 of decisions on the units, nan where undefined, with its clustered interval."""

    f1: float
    interval: Interval | None


@dataclass(frozen=True)
class ThresholdChoice:
    """The best threshold, and its quality.

    Attributes
    ----------
    chosen, apparent : float
        The threshold that is best on all units, and the F1 it seems to have there.
    by_fold : (folds,)
        The choice of the other folds for each.
    held_out : MeasuredF1
        All units, each judged with its fold's threshold.
    used : MeasuredF1
        The evaluator's own decisions on the same units.
    gain : MeasuredF1
        held_out less used, resampled together.
    """

    chosen: float
    apparent: float
    by_fold: Floats
    held_out: MeasuredF1
    used: MeasuredF1
    gain: MeasuredF1

    @property
    def optimism(self) -> float:
        """The gain of F1 on the units that chose the threshold over the others."""
        return self.apparent - self.held_out.f1


def best_threshold(units: ScoredUnits) -> tuple[float, float]:
    """The score up to which units are called errors for the highest F1, and that F1.

    Among equals it is the one nearest to 0.5, then the lower.

    Returns
    -------
    Both nan where there is no error.
    """
    curve = curve_of(units)
    if not curve.errors:
        return float("nan"), float("nan")
    best = np.flatnonzero(curve.f1 == curve.f1.max())
    distance = np.abs(curve.threshold[best] - TIE)
    nearest = best[np.flatnonzero(distance <= distance.min() + ROUNDING)[0]]
    return float(curve.threshold[nearest]), float(curve.f1[nearest])


def choose(units: ScoredUnits, resampling: Resampling) -> ThresholdChoice | str:
    """The choice by nested cross-validation over 10 folds of whole prompts; a reason where there is none."""
    if units.clusters() < 2:
        return TOO_FEW
    fold = grouped_folds(resampling.strata)[units.cluster]
    held, place = np.unique(fold, return_inverse=True)
    by_fold = np.array([best_threshold(_only(units, fold != number))[0] for number in held])
    if np.isnan(by_fold).any():
        return ONE_SIDED
    chosen, apparent = best_threshold(units)
    (held_out, drawn_held_out), (used, drawn_used) = (
        _f1_of(units, called, resampling) for called in (units.score <= by_fold[place], units.called)
    )
    gain, clusters = held_out - used, units.error_clusters()
    return ThresholdChoice(
        chosen=chosen,
        apparent=apparent,
        by_fold=by_fold,
        held_out=MeasuredF1(held_out, effective_interval(held_out, drawn_held_out, clusters)),
        used=MeasuredF1(used, effective_interval(used, drawn_used, clusters)),
        gain=MeasuredF1(gain, difference_interval(gain, drawn_held_out - drawn_used, clusters)),
    )


def _only(units: ScoredUnits, chosen: Flags) -> ScoredUnits:
    return ScoredUnits(units.error[chosen], units.called[chosen], units.score[chosen], units.cluster[chosen])


def _f1_of(units: ScoredUnits, called: Flags, resampling: Resampling) -> tuple[float, Floats]:
    """The F1 of calling these units errors, and in every resample."""
    error = units.error
    columns = np.stack([error & called, ~error & called, error & ~called, ~error & ~called], axis=1)
    sums = cluster_sums(units.cluster, columns.astype(np.float64), len(resampling.strata))
    return float(f1(ConfusionCounts(*sums.sum(axis=0)))), f1(ConfusionCounts(*resampling.totals(sums).T))
