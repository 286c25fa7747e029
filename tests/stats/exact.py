"""The exact interval of a share of so many independent draws, by SciPy: what clustered intervals have to come to."""

import numpy as np
import scipy


def exact(share, draws, clusters):
    """Clopper and Pearson's ends, with t of clusters − 1 degrees of freedom in the place of z.

    A mean over n clusters whose value is 0 or 1 has the variance p (1 − p) / (n − 1): that of n − 1 draws.
    """
    size = draws * (scipy.stats.norm.ppf(0.975) / scipy.stats.t.ppf(0.975, clusters - 1)) ** 2
    hits, misses = size * share, size * (1 - share)
    low = scipy.stats.beta.ppf(0.025, hits, misses + 1) if hits else 0.0
    high = scipy.stats.beta.ppf(0.975, hits + 1, misses) if misses else 1.0
    return [float(low), float(high)]


def exact_of(share, drawn, clusters):
    """The same for a figure with these values in resamples."""
    return exact(share, share * (1 - share) / np.nanvar(drawn), clusters)
