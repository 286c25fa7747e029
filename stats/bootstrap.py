"""The clustered bootstrap behind every interval.

Clusters (prompts) are drawn with replacement within their strata: of n clusters n − 1, each of weight n / (n − 1),
so that the variance over resamples is not too small where a stratum has few. A statistic follows from totals of sums
per cluster, so one matrix of weights serves every level, evaluator, subject and slice.

References
----------
Rao and Wu (1988), Resampling inference with complex survey data; Field and Welsh (2007), Bootstrapping clustered data.
docs/statistics.md, Intervals and tests.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stats.arrays import Floats, Ints

SEED = 20_170
RESAMPLES = 2_000
CONFIDENCE = 0.95
# Figures are quotients of whole numbers; those that are equal may differ in the last bits.
ROUNDING = 1e-12
# Weights are held for so many bytes at a time: of all resamples at once they would take 1.3 GB for 84,700 clusters.
BLOCK_BYTES = 32 * 2**20


@dataclass(frozen=True)
class Resampling:
    """Draws of clusters; the same seed gives the same draws on every pass.

    Attributes
    ----------
    strata : (C,) int
        Number of each cluster's stratum.
    seed : int
    resamples : int
        How many resamples are drawn (R below).
    """

    strata: Ints
    seed: int = SEED
    resamples: int = RESAMPLES

    def totals(self, sums: Floats) -> Floats:
        """Totals over the clusters of each resample.

        Parameters
        ----------
        sums : (C, K)
            Sums of K columns within each cluster.

        Returns
        -------
        (R, K)
        """
        totals = np.empty((self.resamples, sums.shape[1]))
        start = 0
        for weights in self.weights():
            totals[start : start + len(weights)] = weights @ sums
            start += len(weights)
        return totals

    def counts(self, parts: Sequence[Floats]) -> list[Floats]:
        """Totals as of `totals`, of several matrices of counts, in single precision, which is twice as quick.

        Clusters without a count are left out, and equal columns are added up once.

        Parameters
        ----------
        parts : matrices (C, K) of whole numbers

        Returns
        -------
        A matrix (R, K) for each of them.
        """
        small = [_small(part.astype(np.float32)) for part in parts]
        totals = [np.empty((self.resamples, each.columns.shape[1]), dtype=np.float32) for each in small]
        start = 0
        for block in self.weights():
            weights = block.astype(np.float32)
            for each, total in zip(small, totals, strict=True):
                total[start : start + len(weights)] = weights[:, each.rows] @ each.columns
            start += len(weights)
        return [total[:, each.places].astype(np.float64) for each, total in zip(small, totals, strict=True)]

    def weights(self) -> Iterator[Floats]:
        """The weight of each cluster: the number of times that it is drawn, times n / (n − 1).

        Each stratum has a generator of its own, so that the draws do not depend on the size of the blocks.

        Yields
        ------
        Blocks (some resamples, C); R rows in all.
        """
        members = [np.flatnonzero(self._collapsed() == stratum) for stratum in np.unique(self._collapsed())]
        generators = [np.random.default_rng(child) for child in np.random.SeedSequence(self.seed).spawn(len(members))]
        rows = max(1, BLOCK_BYTES // (8 * max(1, len(self.strata))))
        for start in range(0, self.resamples, rows):
            count = min(rows, self.resamples - start)
            block = np.empty((count, len(self.strata)))
            for clusters, generator in zip(members, generators, strict=True):
                block[:, clusters] = _draw(generator, count, len(clusters))
            yield block

    def _collapsed(self) -> Ints:
        """Strata of a single cluster are put together: alone they would seem never to vary."""
        sizes = np.bincount(self.strata)
        return np.where(sizes[self.strata] > 1, self.strata, -1)


@dataclass(frozen=True)
class Small:
    """A matrix without its empty rows and its doubled columns: column i was that at `places`[i]."""

    rows: Ints
    columns: NDArray[np.float32]
    places: Ints


def _small(matrix: NDArray[np.float32]) -> Small:
    rows = np.flatnonzero(matrix.any(axis=1))
    place_of: dict[bytes, int] = {}
    places = np.array(
        [place_of.setdefault(column.tobytes(), len(place_of)) for column in matrix[rows].T], dtype=np.int64
    )
    _, first = np.unique(places, return_index=True)
    return Small(rows, np.ascontiguousarray(matrix[np.ix_(rows, first)]), places)


def _draw(generator: np.random.Generator, resamples: int, clusters: int) -> Floats:
    """Weights (resamples, clusters) of n − 1 draws of n clusters, which add up to n; a single cluster weighs 1."""
    if clusters == 1:
        return np.ones((resamples, 1))
    drawn = generator.integers(0, clusters, size=(resamples, clusters - 1))
    drawn += np.arange(resamples)[:, None] * clusters
    times = np.bincount(drawn.ravel(), minlength=resamples * clusters).reshape(resamples, clusters)
    return np.asarray(times * (clusters / (clusters - 1)), dtype=np.float64)


@dataclass(frozen=True)
class Interval:
    """The 95 % interval of a figure; `undefined` counts the resamples in which it has no value."""

    low: float
    high: float
    undefined: int

    def __iter__(self) -> Iterator[float]:
        yield from (self.low, self.high)

    def ends(self) -> list[float]:
        return [*self]


def cluster_sums(cluster: Ints, columns: Floats, clusters: int) -> Floats:
    """Sums of columns within each cluster.

    Parameters
    ----------
    cluster : (N,) int
        Number of each unit's cluster.
    columns : (N, K)
    clusters : int
        How many clusters there are (C).

    Returns
    -------
    (C, K)
    """
    sums = [np.bincount(cluster, weights=column, minlength=clusters) for column in columns.T]
    # Of no unit NumPy counts in whole numbers, whatever the weights.
    return np.stack(sums, axis=1).astype(np.float64)
