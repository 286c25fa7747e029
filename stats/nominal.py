"""Agreement on one question, each coefficient with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.agreement import COEFFICIENTS, interval_of, sum_by_cluster, unpack
from stats.arrays import Ints, known
from stats.bootstrap import Interval, Resampling


@dataclass(frozen=True)
class MeasuredAgreement:
    """A coefficient, None where it is undefined; `interval` is None too where it rests on too few clusters."""

    value: float | None
    interval: Interval | None


def measure_agreement(
    ratings: Ints,
    values: int,
    cluster: Ints,
    coefficients: Sequence[str],
    resampling: Resampling | None = None,
) -> dict[str, MeasuredAgreement]:
    """Coefficients over the ratings of one question.

    Parameters
    ----------
    ratings : (units, raters) int
        Numbered from 0 to values - 1, GAP where there is none.
    values : int
        How many answers there are.
    cluster : (units,) int
        The number of each unit's cluster; clusters are resampled whole.
    coefficients : names in COEFFICIENTS
    resampling : Resampling or None
        Of all clusters there are; None: of those that occur.

    Returns
    -------
    dict
        By name.
    """
    if resampling is None:
        _, cluster = np.unique(cluster, return_inverse=True)
        resampling = Resampling(np.zeros(int(cluster.max()) + 1, dtype=np.int64))
    sums = sum_by_cluster(ratings, values, cluster, len(resampling.strata))
    own, whole, drawn = (unpack(each, values) for each in (sums, sums.sum(axis=0), resampling.totals(sums)))
    measured = {}
    for name in coefficients:
        coefficient = COEFFICIENTS[name]
        measured[name] = MeasuredAgreement(known(coefficient.compute(whole)), interval_of(coefficient, own, drawn))
    return measured
