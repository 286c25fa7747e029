"""Several tests at once."""

import numpy as np

from stats.arrays import Floats


def holm(values: Floats) -> Floats:
    """p values adjusted for all of them by Holm's step-down procedure.

    The smallest is multiplied by their number, the next by one less and so on; none falls below an earlier one.

    Parameters
    ----------
    values : (M,)
        p values; nan where there is nothing to test.

    Returns
    -------
    (M,); nan stays nan and does not count among the tests.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. docs/statistics.md, Intervals and tests.
    """
    adjusted: Floats = np.full(len(values), np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0) if len(order) else values[order]
    return adjusted
