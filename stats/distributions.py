"""Quantiles and probabilities of the beta, χ² and Student's t distribution.

SciPy is imported by the functions that call it: a start of the application needs none of them.
"""

import numpy as np

from stats.arrays import Floats


def beta_quantile(probability: float, a: Floats, b: Floats) -> Floats:
    """The x with I_x(a, b) = probability.

    Parameters
    ----------
    probability : float
        Above 0 and below 1.
    a, b : (M,)
        Above 0.
    """
    from scipy.special import betaincinv

    return np.asarray(betaincinv(a, b, probability), dtype=np.float64)


def chi_square_quantile(probability: Floats, freedom: Floats) -> Floats:
    """The x with P(χ² ≤ x) = probability, of shapes that broadcast; degrees of freedom above 0."""
    from scipy.special import gammaincinv

    return np.asarray(2 * gammaincinv(freedom / 2, probability), dtype=np.float64)


def t_quantile(probability: float, freedom: Floats) -> Floats:
    """Student's t with P(T ≤ t) = probability.

    Parameters
    ----------
    probability : float
        Above 0 and below 1.
    freedom : (M,)
        Degrees of freedom, above 0.
    """
    from scipy.special import stdtrit

    return np.asarray(stdtrit(freedom, probability), dtype=np.float64)


def t_probability(t: Floats, freedom: Floats) -> Floats:
    """P(T ≤ t) for Student's t.

    Parameters
    ----------
    t, freedom : (M,)
        Degrees of freedom above 0.
    """
    from scipy.special import stdtr

    return np.asarray(stdtr(freedom, t), dtype=np.float64)
