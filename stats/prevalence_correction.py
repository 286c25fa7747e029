"""Estimated scores corrected for an evaluator's sensitivity and specificity, as known from labelled subjects.

References
----------
Rogan and Gladen (1978), Estimating prevalence from the results of a screening test.
docs/statistics.md, Corrections, thresholds, calibration.
"""

import numpy as np

from stats.arrays import Floats, ratio

# Sensitivity and specificity that add up to 1 but for rounding are those of an evaluator that does not look.
NO_INFORMATION = 1e-9


def sensitivity(gold: Floats, under: Floats) -> Floats:
    """Σ(f − u) / Σf, where each fact weighs 1/nᵢ; nan where nothing is supported.

    Parameters
    ----------
    gold : total of gold's shares f over responses
    under : total of the shares u called not supported though gold says so
    """
    return ratio(gold - under, gold)


def specificity(labelled: Floats, gold: Floats, over: Floats) -> Floats:
    """1 − Σo / Σ(1 − f), where each fact weighs 1/nᵢ; nan where everything is supported.

    Parameters
    ----------
    labelled : number of responses
    gold : total of gold's shares f over them
    over : total of the shares o called supported though gold says not
    """
    wrong = np.maximum(labelled - gold, 0.0)
    return 1 - ratio(over, np.where(wrong > NO_INFORMATION, wrong, 0.0))


def rogan_gladen(estimated: Floats, se: Floats, sp: Floats) -> Floats:
    """(ḡ + sp − 1) / (se + sp − 1), unclipped; nan where se + sp ≤ 1.

    Parameters
    ----------
    estimated : the evaluator's score ḡ
    se, sp : its sensitivity and specificity
    """
    power = se + sp - 1
    informed = power > NO_INFORMATION
    return np.where(informed, ratio(estimated + sp - 1, np.where(informed, power, 0.0)), np.nan)
