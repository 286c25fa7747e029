"""Quantiles of the beta and Student's t distribution."""

from math import lgamma

import numpy as np

from stats.arrays import Floats

# The continued fraction of the beta function converges far sooner.
_MOST_TERMS = 2_000
_PRECISION = 1e-14
_TINY = 1e-300
_log_gamma = np.vectorize(lgamma, otypes=[np.float64])


def beta_cdf(at: Floats, a: Floats, b: Floats) -> Floats:
    """The regularised incomplete beta function I_x(a, b), the probability of a beta variable of at most x.

    Parameters
    ----------
    at, a, b : (M,)
        x from 0 to 1; a and b above 0.

    References
    ----------
    Abramowitz and Stegun (1964), Handbook of mathematical functions, 26.5.8; Lentz (1976), Generating Bessel functions
    in Mie scattering calculations using continued fractions.
    """
    turned = at > (a + 1) / (a + b + 2)
    x, p, q = np.where(turned, 1 - at, at), np.where(turned, b, a), np.where(turned, a, b)
    with np.errstate(divide="ignore"):
        front = np.exp(p * np.log(x) + q * np.log1p(-x) - _log_beta(p, q)) / p
    tail = front * _fraction(x, p, q)
    return np.asarray(np.where(turned, 1 - tail, tail))


def _log_beta(a: Floats, b: Floats) -> Floats:
    logarithm: Floats = np.asarray(_log_gamma(a) + _log_gamma(b) - _log_gamma(a + b))
    return logarithm


def _fraction(x: Floats, p: Floats, q: Floats) -> Floats:
    """The continued fraction 1 / (1 + d₁ / (1 + d₂ / (1 + …))) by Lentz's algorithm."""
    c = np.ones_like(x)
    d = 1 / _away_from_0(1 - (p + q) * x / (p + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        even = m * (q - m) * x / ((p + 2 * m - 1) * (p + 2 * m))
        odd = -(p + m) * (p + q + m) * x / ((p + 2 * m) * (p + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_0(1 + term * d)
            c = _away_from_0(1 + term / c)
            value = value * (c * d)
        if (np.abs(c * d - 1) < _PRECISION).all():
            break
    return value


def _away_from_0(values: Floats) -> Floats:
    return np.where(np.abs(values) < _TINY, _TINY, values)


def beta_quantile(probability: float, a: Floats, b: Floats) -> Floats:
    """The x with I_x(a, b) = probability, to about 1e-12.

    Newton's steps, halved into the bracket where they leave it.

    Parameters
    ----------
    probability : float
        Above 0 and below 1.
    a, b : (M,)
        Above 0.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    low, high = np.zeros_like(a), np.ones_like(a)
    x, logarithm = a / (a + b), _log_beta(a, b)
    for _ in range(200):
        excess = beta_cdf(x, a, b) - probability
        low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
        with np.errstate(all="ignore"):
            density = np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - logarithm)
            step = x - excess / density
        moved = np.where((step > low) & (step < high), step, (low + high) / 2)
        done = np.abs(moved - x) <= 1e-13 * np.maximum(x, 1e-3)
        x = moved
        if done.all():
            break
    return x


def t_quantile(probability: float, freedom: Floats) -> Floats:
    """Student's t quantile above the middle: t with P(T ≤ t) = probability, through that of df / (df + t²).

    Parameters
    ----------
    probability : float
        Above 0.5 and below 1.
    freedom : (M,)
        Degrees of freedom, above 0.
    """
    freedom = np.asarray(freedom, dtype=np.float64)
    x = beta_quantile(2 * (1 - probability), freedom / 2, np.full_like(freedom, 0.5))
    return np.sqrt(freedom * (1 / x - 1))
