"""Shares of categories among units, with intervals that respect their prompts.

See docs/statistics.md, Intervals and tests.
"""

from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import (
    Flags,
    Floats,
    Interval,
    Ints,
    Resampling,
    cluster_sums,
    interval,
    known,
    ratio,
)
from annotate.agreement.wilson import wilson_interval


@dataclass(frozen=True)
class Share:
    """`count` of `n` units; share and interval are None where n is 0, the interval too where all are of one prompt.

    Where none or all of the units are hits every resample says the same; then the interval is Wilson's over the
    prompts, each of which is all one way and counts once.
    """

    count: int
    n: int
    share: float | None
    interval: Interval | None


def shares_of(category: Ints, categories: int, cluster: Ints, resampling: Resampling) -> list[Share]:
    """The share of each category, numbered from 0; a unit of category -1 belongs to none and does not count.

    cluster: the number of each unit's prompt among those that are resampled.
    """
    inside = category[:, None] == np.arange(categories)
    counted = np.repeat((category >= 0)[:, None], categories, axis=1)
    return shares_where(inside, counted, cluster, resampling)


def shares_where(hit: Flags, counted: Flags, cluster: Ints, resampling: Resampling) -> list[Share]:
    """Each column's share of hits among the units that count: (units, columns) both."""
    width = hit.shape[1]
    columns = np.concatenate([hit & counted, counted], axis=1).astype(np.float64)
    sums = cluster_sums(cluster, columns, len(resampling.strata))
    (drawn,) = resampling.counts([sums])
    whole = sums.sum(axis=0)
    clusters = (sums[:, width:] > 0).sum(axis=0)
    shares = ratio(whole[:width], whole[width:])
    of_draws = ratio(drawn[:, :width], drawn[:, width:])
    return [
        Share(
            int(whole[place]),
            int(whole[width + place]),
            known(shares[place]),
            _around(float(shares[place]), of_draws[:, place], int(clusters[place])),
        )
        for place in range(width)
    ]


def difference(
    hit: Flags, first: Flags, second: Flags, cluster: Ints, resampling: Resampling
) -> tuple[float | None, Interval | None]:
    """The share of hits among the first units less that among the second, on the same draws; None where undefined.

    The interval is None too where every resample says the same, as it does when both parts are all one way.
    """
    columns = np.stack([hit & first, first, hit & second, second], axis=1).astype(np.float64)
    sums = cluster_sums(cluster, columns, len(resampling.strata))
    whole = known(_difference(sums.sum(axis=0)))
    clusters = int((sums[:, 1] + sums[:, 3] > 0).sum())
    around = None if whole is None else interval(_difference(resampling.counts([sums])[0]), clusters)
    return whole, None if around is not None and around.low == around.high else around


def _difference(totals: Floats) -> Floats:
    return ratio(totals[..., 0], totals[..., 1]) - ratio(totals[..., 2], totals[..., 3])


def _around(share: float, drawn: Floats, clusters: int) -> Interval | None:
    found = interval(drawn, clusters)
    if found is None or share not in (0, 1):
        return found
    low, high = wilson_interval(share, clusters)
    return Interval(low if share else 0.0, 1.0 if share else high, found.undefined)
