"""Calibration: whether scores are the probabilities that they claim to be.

References
----------
docs/statistics.md, Corrections, thresholds, calibration.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, ratio
from stats.bootstrap import CONFIDENCE, ROUNDING, Interval, Resampling, cluster_sums
from stats.curves import ScoredUnits
from stats.intervals import FEWEST_CLUSTERS, effective_interval, varies

BINS = 10
PRECISION = 1e-4


@dataclass(frozen=True)
class Bin:
    """Units of neighbouring scores: how many, their mean score, the share that gold supports, and its interval."""

    units: int
    lowest: float
    highest: float
    score: float
    supported: float
    interval: Interval | None


@dataclass(frozen=True)
class Reliability:
    """Bins of rising scores, and the expected calibration error.

    Attributes
    ----------
    bins : list[Bin]
    observed : float
        The mean gap of the bins as it is; nan without units. Chance alone makes it larger than 0.
    error : float
        The error without the part of chance; nan without units.
    interval : Interval, or None
        Of `error`; its lower end is 0 where chance alone explains the gaps. None below FEWEST_CLUSTERS prompts, where
        no resample differs, and where the gaps are smaller than chance leaves in 97.5 of 100 resamples: no error would
        explain them then, not even 0.
    """

    bins: list[Bin]
    observed: float
    error: float
    interval: Interval | None


def reliability(units: ScoredUnits, resampling: Resampling) -> Reliability:
    """Reliability over 10 bins of equal mass by score.

    There are fewer bins where many units have the same score: they stay together.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning.
    docs/statistics.md, Corrections, thresholds, calibration.
    """
    if not len(units.score):
        return Reliability([], float("nan"), float("nan"), None)
    edges = np.quantile(units.score, np.arange(1, BINS) / BINS)
    used, places = np.unique(np.searchsorted(edges, units.score), return_inverse=True)
    inside = np.eye(len(used))[places]
    columns = np.concatenate([inside, inside * units.score[:, None], inside * ~units.error[:, None]], axis=1)
    sums = cluster_sums(units.cluster, columns, len(resampling.strata))
    whole, drawn = sums.sum(axis=0), resampling.totals(sums)
    shares, resampled = _gaps(whole), _gaps(drawn)
    bins = []
    for place in range(len(used)):
        scores = units.score[places == place]
        clusters = len(np.unique(units.cluster[places == place]))
        bins.append(
            Bin(
                units=len(scores),
                lowest=float(scores.min()),
                highest=float(scores.max()),
                score=float(shares.score[place]),
                supported=float(shares.supported[place]),
                interval=effective_interval(float(shares.supported[place]), resampled.supported[:, place], clusters),
            )
        )
    corrected = _without_chance(shares, resampled)
    given = units.clusters() >= FEWEST_CLUSTERS and varies(resampled.error)
    around = Interval(corrected.low, corrected.high, 0) if given and corrected.high > 0 else None
    return Reliability(bins, float(shares.error), corrected.error, around)


@dataclass(frozen=True)
class _Gaps:
    """Means (…, bins) of scores and of supported units, their difference, and each bin's part of all units."""

    score: Floats
    supported: Floats
    gap: Floats
    part: Floats

    @property
    def error(self) -> Floats:
        mean: Floats = (self.part * np.abs(self.gap)).sum(axis=-1)
        return mean


def _gaps(sums: Floats) -> _Gaps:
    """From sums (…, 3 × bins) of units, scores and supported units; a bin without units has no gap."""
    units, scores, supported = np.split(sums, 3, axis=-1)
    mean, share = ratio(scores, units), ratio(supported, units)
    return _Gaps(mean, share, np.nan_to_num(mean - share), ratio(units, units.sum(axis=-1, keepdims=True)))


@dataclass(frozen=True)
class _Corrected:
    error: float
    low: float
    high: float


def _without_chance(whole: _Gaps, drawn: _Gaps) -> _Corrected:
    """The true errors that make the observed one the median, the 97.5 % and the 2.5 % quantile of what is observed.

    True gaps are taken to have the shape of the observed ones. What chance adds to them is what resampling adds: the
    gaps of a resample less those of all units.

    References
    ----------
    Carpenter (1999), Test inversion bootstrap confidence intervals.
    """
    observed = float(whole.error)
    shape = whole.gap / observed if observed > ROUNDING else np.ones_like(whole.gap)
    chance = np.where(drawn.part > 0, drawn.gap - whole.gap, 0.0)

    def observed_at(true: float, quantile: float) -> float:
        return float(np.quantile((drawn.part * np.abs(true * shape + chance)).sum(axis=-1), quantile))

    def solve(quantile: float) -> float:
        """The least true error at which that quantile reaches the observed error, by halving; at most 1."""
        low, high = 0.0, 1.0
        if observed_at(low, quantile) >= observed - ROUNDING:
            return low
        while high - low > PRECISION:
            middle = (low + high) / 2
            low, high = (low, middle) if observed_at(middle, quantile) >= observed else (middle, high)
        return high

    tail = (1 - CONFIDENCE) / 2
    return _Corrected(solve(0.5), solve(1 - tail), solve(tail))
