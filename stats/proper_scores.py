"""Proper scores of probabilities, parted into miscalibration, discrimination and uncertainty.

References
----------
Brier (1950), Verification of forecasts expressed in terms of probability; Dimitriadis, Gneiting and Jordan (2021),
Stable reliability diagrams for probabilistic classifiers (the parts, without bins). docs/statistics.md, Corrections,
thresholds, calibration.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums
from stats.curves import ScoredUnits
from stats.intervals import effective_interval, mean_interval, varies

# The loss of each unit (N,), from the probability of supported and whether gold supports it.
Loss = Callable[[Floats, Flags], Floats]


def brier(score: Floats, supported: Flags) -> Floats:
    """(score − supported)²."""
    return (score - supported) ** 2


def logarithmic(score: Floats, supported: Flags) -> Floats:
    """−ln of the probability that the score gives to what is so, in nats; infinite where that is 0."""
    with np.errstate(divide="ignore"):
        return -np.log(np.where(supported, score, 1 - score))


LOSSES: dict[str, Loss] = {"brier": brier, "log": logarithmic}


@dataclass(frozen=True)
class ProperScore:
    """A mean loss, the lower the better, and its parts; all nan without units.

    Attributes
    ----------
    value : float
        miscalibration − discrimination + uncertainty; infinite with the logarithm where a score rules out what is so.
    interval : Interval, or None
    miscalibration : float
        The loss that the best rising correction of the scores saves (reliability). Infinite as `value`.
    discrimination : float
        What the corrected scores save against the prevalence (resolution).
    uncertainty : float
        The loss of the prevalence.
    """

    value: float
    interval: Interval | None
    miscalibration: float
    discrimination: float
    uncertainty: float

    @property
    def finite(self) -> dict[str, float | None]:
        """The value and its parts by name; None where undefined or infinite."""
        figures = {
            "value": self.value,
            "miscalibration": self.miscalibration,
            "discrimination": self.discrimination,
            "uncertainty": self.uncertainty,
        }
        return {name: figure if np.isfinite(figure) else None for name, figure in figures.items()}


def proper_score(units: ScoredUnits, loss: Loss, resampling: Resampling) -> ProperScore:
    """The score of the units under the loss; its interval resamples whole prompts, and an infinite score has none."""
    if not len(units.score):
        return ProperScore(np.nan, None, np.nan, np.nan, np.nan)
    supported = ~units.error
    losses = loss(units.score, supported)
    value, corrected, uncertainty = (
        float(each.mean())
        for each in (
            losses,
            loss(rising(units.score, supported), supported),
            loss(np.full(len(losses), supported.mean()), supported),
        )
    )
    around = _interval(units, value, losses, loss, resampling) if np.isfinite(value) else None
    return ProperScore(value, around, value - corrected, uncertainty - corrected, uncertainty)


def rising(score: Floats, supported: Flags) -> Floats:
    """The share supported as a function that never falls with the score, fitted by least squares: (N,).

    References
    ----------
    Ayer, Brunk, Ewing, Reid and Silverman (1955): neighbours in the wrong order are pooled.
    """
    distinct, place = np.unique(score, return_inverse=True)
    sums, counts = np.bincount(place, supported), np.bincount(place)
    pools: list[tuple[float, int, int]] = []
    for total, count in zip(sums.tolist(), counts.tolist(), strict=True):
        pool = (total, count, 1)
        while pools and pools[-1][0] * pool[1] >= pool[0] * pools[-1][1]:
            before = pools.pop()
            pool = (before[0] + pool[0], before[1] + pool[1], before[2] + pool[2])
        pools.append(pool)
    shares = np.array([total / count for total, count, _ in pools])
    return np.repeat(shares, [width for *_, width in pools])[place] if len(distinct) else np.zeros(0)


def _interval(units: ScoredUnits, value: float, losses: Floats, loss: Loss, resampling: Resampling) -> Interval | None:
    """A Brier score lies between 0 and 1; a log score is not below 0, and nothing bounds it above."""
    columns = np.stack([losses, np.ones(len(losses))], axis=1)
    totals = resampling.totals(cluster_sums(units.cluster, columns, len(resampling.strata)))
    drawn = ratio(totals[:, 0], totals[:, 1])
    if loss is brier:
        return effective_interval(value, drawn, units.clusters()) if varies(drawn) else None
    around = mean_interval(value, drawn, units.clusters())
    return Interval(max(0.0, around.low), around.high, around.undefined) if around else None
