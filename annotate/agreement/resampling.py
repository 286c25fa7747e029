"""Intervals that respect clusters (definitions.md §6): whole prompts are drawn, stratum by stratum.

One set of draws serves every level, evaluator, subject and slice: put all their counts side by side as columns, resample
once, and compute each figure from its own columns.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RESAMPLES = 2000
SEED = 20231115
CONFIDENCE = 0.95

# So many draws are held at once (resamples × clusters), to keep a hundred thousand clusters in little memory.
DRAWS_AT_ONCE = 8_000_000


@dataclass(frozen=True)
class Interval:
    """A percentile interval; `undefined` counts the resamples in which the figure had no value."""

    low: float
    high: float
    undefined: int = 0


def resample_totals(counts: Floats, strata: Sequence[Hashable], resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """Totals of each column in every resample.

    counts: (clusters, columns), what each cluster contributes to each total. strata: the stratum of each cluster; as many
    clusters are drawn from a stratum, with replacement, as it has. Returns (resamples, columns). The draws depend on the
    strata, the number of resamples and the seed alone.
    """
    if counts.shape[0] != len(strata):
        raise ValueError(f"{counts.shape[0]} clusters but {len(strata)} strata")
    totals = np.zeros((resamples, counts.shape[1]))
    for number, members in enumerate(_members(strata)):
        generator = np.random.default_rng([seed, number])
        size = len(members)
        block = max(1, DRAWS_AT_ONCE // size)
        for start in range(0, resamples, block):
            stop = min(start + block, resamples)
            times_drawn = generator.multinomial(size, np.full(size, 1 / size), size=stop - start)
            totals[start:stop] += times_drawn @ counts[members]
    return totals


def _members(strata: Sequence[Hashable]) -> list[NDArray[np.intp]]:
    """The clusters of each stratum, the strata in the order in which they first occur."""
    places: dict[Hashable, list[int]] = {}
    for cluster, stratum in enumerate(strata):
        places.setdefault(stratum, []).append(cluster)
    return [np.array(members) for members in places.values()]


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval | None:
    """The interval of a figure's values in the resamples, NaN where it is undefined; None if it always is."""
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        return None
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), int(values.size - defined.size))


def sum_by_cluster(values: Floats, clusters: NDArray[np.intp], n_clusters: int) -> Floats:
    """(units, columns) added up to (clusters, columns); `clusters` holds the cluster of each unit."""
    totals = np.zeros((n_clusters, values.shape[1]))
    np.add.at(totals, clusters, values)
    return totals
