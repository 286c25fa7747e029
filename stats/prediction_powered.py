"""Prediction-powered inference: the score of a subject with labelled responses and with responses that are judged only.

References
----------
Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Prediction-powered inference; Angelopoulos, Duchi and Zrnic
(2023), PPI++: efficient prediction-powered inference (the weight λ); Zrnic and Candès (2024), Cross-prediction-powered
inference (its cross-fitting).
docs/statistics.md, Corrections, thresholds, calibration.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, ratio
from stats.bootstrap import CONFIDENCE, ROUNDING
from stats.distributions import t_quantile

# With fewer labels the interval does not cover what it says.
FEWEST_LABELLED = 10
FEWEST_UNLABELLED = 2


@dataclass(frozen=True)
class PredictionPowered:
    """A prediction-powered score.

    Attributes
    ----------
    score : θ
    error : its standard error
    weight : the mean of λ over the labelled responses, from 0 to 1
    labelled, unlabelled : n and N
    """

    score: float
    error: float
    weight: float
    labelled: int
    unlabelled: int

    def ends(self) -> list[float] | None:
        """The 95 % interval by Student's t with n − 1 degrees of freedom, unclipped.

        None where there is no error: ten labels that are all the same do not make a score certain.
        """
        if self.error <= ROUNDING:
            return None
        freedom = np.array([self.labelled - 1.0])
        reach = float(t_quantile((1 + CONFIDENCE) / 2, freedom)[0]) * self.error
        return [self.score - reach, self.score + reach]


def prediction_powered(gold: Floats, estimated: Floats, unlabelled: Floats) -> PredictionPowered | None:
    """The prediction-powered score of a subject.

    Each labelled response is corrected with the λ of the others, so that no λ is fitted to what it corrects.

    Parameters
    ----------
    gold, estimated : (n,)
        f and g of the labelled responses, a random draw from all.
    unlabelled : (N,)
        g of the others.

    Returns
    -------
    None with too few of either, and where the evaluator scores all alike.
    """
    n, more = len(gold), len(unlabelled)
    everyone = np.concatenate([estimated, unlabelled])
    if n < FEWEST_LABELLED or more < FEWEST_UNLABELLED or np.ptp(everyone) == 0:
        return None
    weights = _weights_of_others(gold, estimated, unlabelled)
    weight = weights.mean()
    rest = gold - weights * estimated
    score = weight * unlabelled.mean() + rest.mean()
    error = np.sqrt(weight**2 * everyone.var(ddof=1) / more + rest.var(ddof=1) / n)
    return PredictionPowered(float(score), float(error), float(weight), n, more)


def _weights_of_others(gold: Floats, estimated: Floats, unlabelled: Floats) -> Floats:
    """λ without each labelled response, clipped to [0, 1]: (n,). 0 where the other estimates are all alike.

    Sums without one follow from those of all: n·(x − x̄)(y − ȳ) / (n − 1) is what one adds to Σ(x − x̄)(y − ȳ).
    """
    n, more = len(gold) - 1, len(unlabelled)
    around_gold, around = gold - gold.mean(), estimated - estimated.mean()
    covariance = ((around_gold * around).sum() - around_gold * around * (n + 1) / n) / (n - 1)
    everyone = np.concatenate([estimated, unlabelled])
    count, centred = len(everyone), everyone - everyone.mean()
    own = centred[: len(gold)] ** 2 * count / (count - 1)
    spread = np.maximum((centred**2).sum() - own, 0.0) / (count - 2)
    weights = ratio(covariance, (1 + n / more) * np.where(spread > np.finfo(np.float64).eps, spread, 0.0))
    return np.clip(np.nan_to_num(weights), 0.0, 1.0)
