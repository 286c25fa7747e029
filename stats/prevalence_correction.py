"""Estimated scores corrected for what is known of the evaluator's errors (definitions.md §7). Plain arrays in.

Rogan–Gladen takes the evaluator's sensitivity and specificity from labelled subjects to others. Prediction-powered
inference serves a subject of whose responses some are labelled and the others only judged.
"""

import numpy as np

from stats.arrays import Floats, ratio

# Sensitivity and specificity that add up to 1 but for rounding are those of an evaluator that does not look.
NO_INFORMATION = 1e-9


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
