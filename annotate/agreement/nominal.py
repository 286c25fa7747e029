"""Agreement on one question, each coefficient with its interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.agreement.coefficients import sum_by_cluster, unpack
from annotate.agreement.resampling import Floats, Interval, Ints, Resampling, interval, known

# From the sums that coefficients.unpack gives to the coefficient.
Coefficient = Callable[[Any], Floats]


@dataclass(frozen=True)
class Measured:
    """A coefficient; None where it is undefined. `interval` is None there too, and where it rests on one cluster."""

    value: float | None
    interval: Interval | None


def measure_agreement(
    ratings: Ints,
    values: int,
    cluster: Ints,
    coefficients: Mapping[str, Coefficient],
    resampling: Resampling | None = None,
) -> dict[str, Measured]:
    """Each coefficient over ratings (units, raters), numbered from 0 to values - 1, GAP where there is none.

    cluster: of each unit (units,) the number of its cluster; clusters are resampled whole. resampling: of all clusters
    there are; None: of those that occur.
    """
    if resampling is None:
        _, cluster = np.unique(cluster, return_inverse=True)
        resampling = Resampling(np.zeros(int(cluster.max()) + 1, dtype=np.int64))
    sums = sum_by_cluster(ratings, values, cluster, len(resampling.strata))
    whole, drawn = unpack(sums.sum(axis=0), values), unpack(resampling.totals(sums), values)
    number = len(np.unique(cluster))
    measured = {}
    for name, coefficient in coefficients.items():
        value = known(coefficient(whole))
        measured[name] = Measured(value, None if value is None else interval(coefficient(drawn), number))
    return measured
