"""Wilson's score interval of a share: sound for small samples and for shares of 0 and 1."""

from math import sqrt

# The normal quantile of a two-sided interval of 95 %.
Z = 1.959963984540054


def wilson_interval(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of n independent draws (n ≥ 1)."""
    middle = share + Z**2 / (2 * n)
    half = Z * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    scale = 1 + Z**2 / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
