"""Curves of scores over all thresholds: precision-recall, ROC, risk against coverage.

A score is the probability of *supported*; the positive class is error.

References
----------
docs/statistics.md, Corrections, thresholds, calibration.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints, ratio
from stats.bootstrap import ROUNDING, Interval, Resampling
from stats.intervals import effective_interval

# Weights of units are held for so many bytes at a time: of 2,000 resamples of 1,000,000 units they would take 16 GB.
BLOCK_BYTES = 2 * 2**20


@dataclass(frozen=True)
class ScoredUnits:
    """N units with gold, a decision and a score.

    Attributes
    ----------
    error : (N,) bool
        Gold.
    called : (N,) bool
        The evaluator calls it an error.
    score : (N,)
        From 0 to 1.
    cluster : (N,) int
        Number of its prompt.
    """

    error: Flags
    called: Flags
    score: Floats
    cluster: Ints

    def clusters(self) -> int:
        """The number of their prompts."""
        return len(np.unique(self.cluster))

    def error_clusters(self) -> int:
        """The number of their prompts with an error."""
        return len(np.unique(self.cluster[self.error]))


@dataclass(frozen=True)
class Curve:
    """Counts at each of K thresholds from the lowest: units with a score up to it are called errors.

    Attributes
    ----------
    threshold : (K,)
    tp, fp : (…, K)
        Errors and correct units among those called; a leading axis of resamples is free.
    errors, corrects : (…)
        How many there are.
    """

    threshold: Floats
    tp: Floats
    fp: Floats
    errors: Floats
    corrects: Floats

    @property
    def precision(self) -> Floats:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> Floats:
        return ratio(self.tp, self.errors[..., None])

    @property
    def false_alarms(self) -> Floats:
        """The share of correct units that are called errors."""
        return ratio(self.fp, self.corrects[..., None])

    @property
    def f1(self) -> Floats:
        """2TP / (2TP + FP + FN); nan without errors."""
        whole = self.tp + self.fp + self.errors[..., None]
        return np.where(self.errors[..., None] > 0, ratio(2 * self.tp, whole), np.nan)


def curve_of(units: ScoredUnits) -> Curve:
    """The curve over the distinct scores of the units."""
    order, last, threshold = _distinct(units.score)
    weights = np.ones((1, len(order)))
    counted = _count(weights, units.error[order], last)
    return Curve(threshold, counted.tp[0], counted.fp[0], counted.errors[0], counted.corrects[0])


def average_precision(curve: Curve) -> Floats:
    """Average precision: the sum of precision over the steps of recall, without interpolation; nan without errors."""
    steps = np.diff(curve.tp, axis=-1, prepend=0)
    gained = np.where(curve.tp > 0, curve.tp / np.maximum(curve.tp + curve.fp, 1), 0.0)
    return ratio((steps * gained).sum(axis=-1), curve.errors)


def area_under_roc(curve: Curve) -> Floats:
    """Area under the ROC curve: the chance that an error scores lower than a correct unit, ties counting half.

    Returns
    -------
    nan unless there are both.
    """
    wide = np.diff(curve.fp, axis=-1, prepend=0)
    high = (curve.tp + np.concatenate([np.zeros_like(curve.tp[..., :1]), curve.tp[..., :-1]], axis=-1)) / 2
    return ratio((wide * high).sum(axis=-1), curve.errors * curve.corrects)


@dataclass(frozen=True)
class Areas:
    """Average precision and area under the ROC curve, nan where undefined, with clustered intervals."""

    average_precision: float
    average_precision_interval: Interval | None
    area_under_roc: float
    area_under_roc_interval: Interval | None


def areas_of(units: ScoredUnits, resampling: Resampling) -> Areas:
    """Both areas of the units; the resamples draw whole prompts."""
    whole = curve_of(units)
    average, area_below, clusters = (
        float(average_precision(whole)),
        float(area_under_roc(whole)),
        units.error_clusters(),
    )
    drawn = [(average_precision(curve), area_under_roc(curve)) for curve in _resampled(units, resampling)]
    precision, area = (np.concatenate(values) for values in zip(*drawn, strict=True))
    return Areas(
        average,
        effective_interval(average, precision, clusters),
        area_below,
        effective_interval(area_below, area, clusters),
    )


def _resampled(units: ScoredUnits, resampling: Resampling) -> Iterator[Curve]:
    """The curve in every resample, some at a time."""
    order, last, threshold = _distinct(units.score)
    error, cluster = units.error[order], units.cluster[order]
    rows = max(1, BLOCK_BYTES // (8 * max(1, len(order))))
    for block in resampling.weights():
        for start in range(0, len(block), rows):
            counted = _count(block[start : start + rows, cluster], error, last)
            yield Curve(threshold, counted.tp, counted.fp, counted.errors, counted.corrects)


def _distinct(score: Floats, rounding: float = 0.0) -> tuple[Ints, Ints, Floats]:
    """The order of rising scores, where in it each distinct score ends, and the distinct scores."""
    order = np.argsort(score, kind="stable")
    rising = score[order]
    last = np.flatnonzero(np.append(np.diff(rising) > rounding, True)) if len(rising) else np.zeros(0, np.int64)
    return order, last, rising[last]


def _count(weights: Floats, error: Flags, last: Ints) -> Curve:
    """Counts up to each distinct score from weights (resamples, N) of units in the order of their scores."""
    tp, fp = np.cumsum(weights * error, axis=1), np.cumsum(weights * ~error, axis=1)
    return Curve(np.zeros(0), tp[:, last], fp[:, last], weights @ error, weights @ ~error)


@dataclass(frozen=True)
class RiskCurve:
    """Risk among the most confident units, one point for each distinct confidence.

    Attributes
    ----------
    coverage : (K,)
        Their share of all units, rising; units of one confidence are taken together.
    risk : (K,)
        The share of them judged wrongly.
    confidence : (K,)
    """

    coverage: Floats
    risk: Floats
    confidence: Floats


def risk_against_coverage(units: ScoredUnits) -> RiskCurve:
    """Risk against coverage; confidence is the probability that an evaluator gives to its own decision.

    Confidences that differ by rounding alone are equal: 1 − 3/9 and 6/9 are, as fractions.

    References
    ----------
    Geifman and El-Yaniv (2017), Selective classification for deep neural networks.
    docs/statistics.md, Corrections, thresholds, calibration.
    """
    confidence = np.where(units.called, 1 - units.score, units.score)
    order, last, falling = _distinct(-confidence, ROUNDING)
    wrong = np.cumsum((units.called != units.error)[order])
    taken = np.arange(1, len(order) + 1)
    return RiskCurve(ratio(taken, np.array(len(order)))[last], ratio(wrong, taken)[last], -falling)


def risk_at(risk: RiskCurve, coverage: float) -> float:
    """The risk of the fewest units that cover so much; nan where there are none."""
    reached = np.flatnonzero(risk.coverage >= coverage - 1e-12)
    return float(risk.risk[reached[0]]) if len(reached) else float("nan")


def spread(length: int, points: int) -> Ints:
    """The places of at most so many points of a curve, evenly spread, its ends among them."""
    return np.unique(np.linspace(0, length - 1, min(length, points)).round().astype(np.int64))
