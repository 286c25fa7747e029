"""Several tests at once (Holm 1979; docs/statistics.md, Intervals and tests)."""

import numpy as np
from annotate.agreement.resampling import Floats


def holm(values: Floats) -> Floats:
    """The p values (M,) adjusted for all of them; nan, where there was nothing to test, stays and does not count.

    The smallest is multiplied by their number, the next by one less and so on; none may fall below an earlier one.
    """
    adjusted: Floats = np.full(len(values), np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0) if len(order) else values[order]
    return adjusted
