"""Agreement between annotators (docs/statistics.md, Agreement between annotators): plain counts in, figures out.

Every coefficient follows from totals over units, so that the bootstrap needs only sums per cluster. A unit counts when
two or more annotators judged it, and counts once, however many they are.
"""

from dataclasses import dataclass

import numpy as np

from annotate.agreement.resampling import Floats, Ints, cluster_sums, ratio

# The rating of an annotator who did not judge a unit.
GAP = -1


@dataclass(frozen=True)
class Sums:
    """What the coefficients are computed from, summed over units; leading axes are free (clusters, resamples).

    n (…): units. pairs (…, V, V): ordered pairs of judgements of different annotators, as shares of the unit's pairs.
    coincidences (…, V, V): the same, weighted by the number of the unit's judgements (Krippendorff's matrix).
    confusion (…, V, V): judgements of the first against those of the second, of two annotators.
    """

    n: Floats
    pairs: Floats
    coincidences: Floats
    confusion: Floats

    @property
    def values(self) -> int:
        return int(self.pairs.shape[-1])


def sum_by_cluster(ratings: Ints, values: int, cluster: Ints, clusters: int) -> Floats:
    """Sums per cluster as rows (clusters, K) for `unpack`.

    ratings: (units, annotators), values from 0 to values - 1 or GAP. cluster: number of each unit's.
    """
    given = np.stack([(ratings == value).sum(axis=1) for value in range(values)], axis=1).astype(np.float64)
    judgements = given.sum(axis=1)
    counted = judgements >= 2
    given, judgements = given[counted], judgements[counted]
    ordered = given[:, :, None] * given[:, None, :] - given[:, :, None] * np.eye(values)
    pairs = ordered / (judgements * (judgements - 1))[:, None, None]
    squares = np.stack([pairs, pairs * judgements[:, None, None], _confusion(ratings[counted], values)], axis=1)
    columns = np.concatenate([np.ones((len(given), 1)), squares.reshape(len(given), 3 * values**2)], axis=1)
    return cluster_sums(cluster[counted], columns, clusters)


def unpack(sums: Floats, values: int) -> Sums:
    """Rows of sum_by_cluster, or totals of them, as Sums."""
    n, pairs, coincidences, confusion = np.split(sums, [1, 1 + values**2, 1 + 2 * values**2], axis=-1)
    square = (*sums.shape[:-1], values, values)
    return Sums(n[..., 0], pairs.reshape(square), coincidences.reshape(square), confusion.reshape(square))


def percent_agreement(sums: Sums) -> Floats:
    """Share of agreeing pairs, mean over units; with two annotators FELM's agree rate."""
    return ratio(_trace(sums.pairs), sums.n)


def specific_agreement(sums: Sums, value: int) -> Floats:
    """How often, where one says `value`, the other says so too: 2a/(2a+b+c).

    On error it is positive agreement, which equals the F1 of one annotator against the other; on correct it is
    negative agreement.
    """
    return ratio(sums.pairs[..., value, value], sums.pairs[..., value, :].sum(axis=-1))


def cohen_kappa(sums: Sums) -> Floats:
    """Cohen's κ of two annotators; undefined where both give one and the same value throughout."""
    n = sums.n
    observed = ratio(_trace(sums.confusion), n)
    first, second = sums.confusion.sum(axis=-1), sums.confusion.sum(axis=-2)
    expected = ratio((first * second).sum(axis=-1), n**2)
    return _beyond_chance(observed, expected)


def krippendorff_alpha(sums: Sums) -> Floats:
    """Krippendorff's α, nominal, for any number of annotators with gaps; undefined where only one value occurs."""
    totals = sums.coincidences.sum(axis=-1)
    n = totals.sum(axis=-1)
    observed = n - _trace(sums.coincidences)
    expected = ratio(n**2 - (totals**2).sum(axis=-1), n - 1)
    return 1 - ratio(observed, expected)


def gwet_ac1(sums: Sums) -> Floats:
    """Gwet's AC1, over all values that the scheme has. It rewards prevalence: never the headline."""
    share = ratio(sums.pairs.sum(axis=-1), np.repeat(sums.n[..., None], sums.values, axis=-1))
    expected = (share * (1 - share)).sum(axis=-1) / (sums.values - 1)
    return _beyond_chance(percent_agreement(sums), expected)


def _confusion(ratings: Ints, values: int) -> Floats:
    """Per unit (values, values) one cell set: what the first and the second column say; none where one is a gap."""
    cells = np.zeros((len(ratings), values, values))
    if ratings.shape[1] == 2:
        rows = np.flatnonzero((ratings != GAP).all(axis=1))
        cells[rows, ratings[rows, 0], ratings[rows, 1]] = 1
    return cells


def _trace(squares: Floats) -> Floats:
    total: Floats = np.trace(squares, axis1=-2, axis2=-1)
    return total


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed − expected)/(1 − expected), undefined where chance alone agrees throughout."""
    room = 1 - expected
    # What is left of 1 − 1 by rounding is no room.
    return ratio(observed - expected, np.where(room > 1e-12, room, 0))
