"""Prediction-powered inference: the score of a subject with labelled responses and with responses that are judged only.

References
----------
Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Prediction-powered inference; Angelopoulos, Duchi and Zrnic
(2023), PPI++: efficient prediction-powered inference (the weight λ).
docs/statistics.md, Corrections, thresholds, calibration.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from stats.arrays import Floats
from stats.bootstrap import CONFIDENCE

FEWEST_UNITS = 2


@dataclass(frozen=True)
class PredictionPowered:
    """A prediction-powered score.

    Attributes
    ----------
    score : θ
    error : its standard error
    weight : λ
    labelled, unlabelled : n and N
    """

    score: float
    error: float
    weight: float
    labelled: int
    unlabelled: int

    def ends(self) -> list[float]:
        """The normal 95 % interval, unclipped."""
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.error
        return [self.score - reach, self.score + reach]


def prediction_powered(gold: Floats, estimated: Floats, unlabelled: Floats) -> PredictionPowered | None:
    """The prediction-powered score of a subject.

    Var g is the sample variance over all n + N responses, Cov(f, g) and Var(f − λg) are over the n.

    Parameters
    ----------
    gold, estimated : (n,)
        f and g of the labelled responses.
    unlabelled : (N,)
        g of the others.

    Returns
    -------
    None below two of either, and where the evaluator scores all alike.
    """
    n, more = len(gold), len(unlabelled)
    everyone = np.concatenate([estimated, unlabelled])
    if min(n, more) < FEWEST_UNITS or np.ptp(everyone) == 0:
        return None
    spread = everyone.var(ddof=1)
    weight = np.cov(gold, estimated)[0, 1] / ((1 + n / more) * spread)
    rest = gold - weight * estimated
    score = weight * unlabelled.mean() + rest.mean()
    error = np.sqrt(weight**2 * spread / more + rest.var(ddof=1) / n)
    return PredictionPowered(float(score), float(error), float(weight), n, more)
