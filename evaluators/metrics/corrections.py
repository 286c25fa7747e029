"""Estimated scores corrected for what is known of the evaluator's errors. Plain arrays in.

See docs/statistics.md, Corrections, thresholds, calibration.

Rogan–Gladen takes the evaluator's sensitivity and specificity from labelled subjects to others. Prediction-powered
inference serves a subject of whose responses some are labelled and the others only judged.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from annotate.agreement.resampling import CONFIDENCE, Floats, ratio

# Sensitivity and specificity that add up to 1 but for rounding are those of an evaluator that does not look.
NO_INFORMATION = 1e-9
FEWEST_UNITS = 2


def sensitivity(gold: Floats, under: Floats) -> Floats:
    """Σ(f − u) / Σf from totals over responses of gold's shares f and of the shares under-called u: each fact weighs
    1/nᵢ. nan where nothing is supported."""
    return ratio(gold - under, gold)


def specificity(labelled: Floats, gold: Floats, over: Floats) -> Floats:
    """1 − Σo / Σ(1 − f) from totals of responses, of gold's shares f and of the shares over-called o; nan where
    everything is supported."""
    wrong = np.maximum(labelled - gold, 0.0)
    return 1 - ratio(over, np.where(wrong > NO_INFORMATION, wrong, 0.0))


def rogan_gladen(estimated: Floats, se: Floats, sp: Floats) -> Floats:
    """(ḡ + sp − 1)/(se + sp − 1), unclipped; nan where se + sp ≤ 1."""
    power = se + sp - 1
    informed = power > NO_INFORMATION
    return np.where(informed, ratio(estimated + sp - 1, np.where(informed, power, 0.0)), np.nan)


@dataclass(frozen=True)
class PredictionPowered:
    """score: θ; error: its standard error; weight: λ; labelled, unlabelled: n and N."""

    score: float
    error: float
    weight: float
    labelled: int
    unlabelled: int

    def ends(self) -> list[float]:
        """The normal interval, unclipped."""
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.error
        return [self.score - reach, self.score + reach]


def prediction_powered(gold: Floats, estimated: Floats, unlabelled: Floats) -> PredictionPowered | None:
    """gold, estimated: f and g of the n labelled responses; unlabelled: g of the N others.

    Var g is the sample variance over all n + N, Cov(f, g) and Var(f − λg) over the n. None below two of either, or
    where the evaluator scores all alike.
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
