"""Shares and means of units, each with its interval.

References
----------
docs/statistics.md, Intervals and tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums
from stats.intervals import Z, difference_interval, effective_interval, effective_intervals, mean_interval


def wilson_interval(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a share: sound for small samples and for shares of 0 and 1.

    Parameters
    ----------
    share : float
        The share observed, from 0 to 1.
    n : int
        How many independent draws it is of, at least 1.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference.
    docs/statistics.md, Intervals and tests.
    """
    middle = share + Z**2 / (2 * n)
    half = Z * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    scale = 1 + Z**2 / n
    low, high = (middle - half) / scale, (middle + half) / scale
    return low if share > 0 else 0.0, high if share < 1 else 1.0


@dataclass(frozen=True)
class Proportion:
    """Hits among n independent draws; `value` and its interval (Wilson's) are None where n is 0."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson_interval(self.hits / self.n, self.n) if self.n else None


@dataclass(frozen=True)
class ClusteredShare:
    """The share of `count` among `n` units of several prompts.

    Attributes
    ----------
    share : None where n is 0
    interval : as of `effective_intervals`, over the prompts with a unit
    """

    count: int
    n: int
    share: float | None
    interval: Interval | None


def shares_of(category: Ints, categories: int, cluster: Ints, resampling: Resampling) -> list[ClusteredShare]:
    """The share of each category.

    Parameters
    ----------
    category : (N,) int
        Numbered from 0; a unit of −1 belongs to none and does not count.
    categories : int
    cluster : (N,) int
        Number of each unit's prompt among those that are resampled.
    resampling : Resampling
    """
    inside = category[:, None] == np.arange(categories)
    counted = np.repeat((category >= 0)[:, None], categories, axis=1)
    return shares_where(inside, counted, cluster, resampling)


def shares_where(hit: Flags, counted: Flags, cluster: Ints, resampling: Resampling) -> list[ClusteredShare]:
    """The share of hits among the units that count, in each of K columns.

    Parameters
    ----------
    hit, counted : (N, K) bool
    cluster : (N,) int
    resampling : Resampling
    """
    width = hit.shape[1]
    columns = np.concatenate([hit & counted, counted], axis=1).astype(np.float64)
    sums = cluster_sums(cluster, columns, len(resampling.strata))
    (drawn,) = resampling.counts([sums])
    whole = sums.sum(axis=0)
    clusters = (sums[:, width:] > 0).sum(axis=0)
    shares = ratio(whole[:width], whole[width:])
    around = effective_intervals(shares, ratio(drawn[:, :width], drawn[:, width:]), clusters)
    return [
        ClusteredShare(int(whole[place]), int(whole[width + place]), known(shares[place]), around[place])
        for place in range(width)
    ]


def difference(
    hit: Flags, first: Flags, second: Flags, cluster: Ints, resampling: Resampling
) -> tuple[float | None, Interval | None]:
    """The share of hits among the first units less that among the second, on the same draws.

    Parameters
    ----------
    hit, first, second : (N,) bool
    cluster : (N,) int
    resampling : Resampling

    Returns
    -------
    The difference, None where either share is undefined; its interval as of `difference_interval`, over the prompts of
    the share that has fewer.
    """
    columns = np.stack([hit & first, first, hit & second, second], axis=1).astype(np.float64)
    sums = cluster_sums(cluster, columns, len(resampling.strata))
    whole = known(_difference(sums.sum(axis=0)))
    clusters = int((sums[:, [1, 3]] > 0).sum(axis=0).min())
    return whole, difference_interval(whole, _difference(resampling.counts([sums])[0]), clusters)


def _difference(totals: Floats) -> Floats:
    return ratio(totals[..., 0], totals[..., 1]) - ratio(totals[..., 2], totals[..., 3])


NOTHING = "no labels with gold"


@dataclass(frozen=True)
class ControlShare:
    """The share of right judgements among `n` units over `prompts`.

    Share and interval are None with `why` where n is 0.
    """

    n: int
    prompts: int
    share: float | None
    interval: tuple[float, float] | None
    why: str


def control_share(right: Sequence[bool], prompts: Sequence[int]) -> ControlShare:
    """The share of units judged right, with Wilson's interval over the prompts.

    Each prompt counts as one independent draw. Units of a prompt depend on each other so much that they are worth
    little more (a design effect of 5.7 at 5.2 segments a prompt). The clustered bootstrap would shrink to a point where
    an annotator has everything right, as with few controls is common.

    Parameters
    ----------
    right : a flag for each unit
    prompts : the key of each unit's prompt

    References
    ----------
    docs/statistics.md, Agreement between annotators.
    """
    if not right:
        return ControlShare(0, 0, None, None, NOTHING)
    share = sum(right) / len(right)
    clusters = len(set(prompts))
    return ControlShare(len(right), clusters, share, wilson_interval(share, clusters), "")


@dataclass(frozen=True)
class QuotientFigure:
    """A quotient part / whole.

    Attributes
    ----------
    value : None where the whole is 0
    interval : None where it rests on too few documents
    part, whole : float
    """

    value: float | None
    interval: tuple[float, float] | None
    part: float
    whole: float


@dataclass(frozen=True)
class Quotient:
    """The sum of `part` over that of `whole`, of each completion (N,); a share has parts from 0 to their whole."""

    part: Floats
    whole: Floats
    is_share: bool = True


def share_of(hits: Sequence[bool], among: Sequence[bool] | None = None) -> Quotient:
    """The share of completions that are hit, of all or of some `among` them."""
    counted = np.ones(len(hits)) if among is None else np.array(among, dtype=np.float64)
    return Quotient(np.array(hits, dtype=np.float64) * counted, counted)


def clusters_of(documents: Sequence[str]) -> Ints:
    """The number of each completion's document, which is resampled whole."""
    _, cluster = np.unique(np.array(documents, dtype=object), return_inverse=True)
    return np.asarray(cluster, dtype=np.int64)


def measure(quotients: Sequence[Quotient], cluster: Ints) -> list[QuotientFigure]:
    """Quotients with their intervals, all from the same draws of documents.

    A share gets its interval by `effective_interval`, any other quotient by `mean_interval`.

    Parameters
    ----------
    quotients : Quotients of N completions
    cluster : (N,) int
        Number of each completion's document.

    References
    ----------
    docs/statistics.md, FACTOR.
    """
    number = int(cluster.max()) + 1
    columns = np.column_stack([column for each in quotients for column in (each.part, each.whole)])
    sums = cluster_sums(cluster, columns, number)
    drawn = Resampling(np.zeros(number, dtype=np.int64)).totals(sums)
    return [
        _figure(quotient, sums[:, 2 * place : 2 * place + 2], drawn[:, 2 * place : 2 * place + 2])
        for place, quotient in enumerate(quotients)
    ]


def _figure(quotient: Quotient, sums: Floats, drawn: Floats) -> QuotientFigure:
    part, whole = sums.sum(axis=0)
    value = known(ratio(part, whole))
    resting_on = int((sums[:, 1] > 0).sum())
    interval_of = effective_interval if quotient.is_share else mean_interval
    around = interval_of(value, ratio(drawn[:, 0], drawn[:, 1]), resting_on)
    return QuotientFigure(value, None if around is None else (around.low, around.high), float(part), float(whole))
