"""Calibration: whether scores are the probabilities that they claim to be.

References
----------
docs/statistics.md, Corrections, thresholds, calibration.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums, interval
from stats.curves import ScoredUnits

BINS = 10


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
    """Bins of rising scores, and the expected calibration error (nan without units) with its interval.

    The interval keeps the bins. In a resample chance makes the gaps larger, so it lies to the upper side of the figure.
    """

    bins: list[Bin]
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
        return Reliability([], float("nan"), None)
    edges = np.quantile(units.score, np.arange(1, BINS) / BINS)
    used, places = np.unique(np.searchsorted(edges, units.score), return_inverse=True)
    inside = np.eye(len(used))[places]
    columns = np.concatenate([inside, inside * units.score[:, None], inside * ~units.error[:, None]], axis=1)
    sums = cluster_sums(units.cluster, columns, len(resampling.strata))
    whole, drawn = sums.sum(axis=0), resampling.totals(sums)
    shares, error = _gaps(whole), _gaps(drawn)
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
                interval=interval(error.supported[:, place], clusters),
            )
        )
    return Reliability(bins, float(shares.error), interval(error.error, units.clusters()))


@dataclass(frozen=True)
class _Gaps:
    score: Floats
    supported: Floats
    error: Floats


def _gaps(sums: Floats) -> _Gaps:
    """Each bin's means and the expected error, from sums (..., 3 × bins) of units, scores and supported units."""
    units, scores, supported = np.split(sums, 3, axis=-1)
    mean, share = ratio(scores, units), ratio(supported, units)
    gaps = np.where(units > 0, np.abs(mean - share), 0.0)
    return _Gaps(mean, share, ratio((gaps * units).sum(axis=-1), units.sum(axis=-1)))
