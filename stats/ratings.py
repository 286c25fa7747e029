"""Ratings as arrays, and their sums for the coefficients of agreement.

References
----------
docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stats.agreement import ALL, BINARY, GAP, Sums, sum_by_cluster, unpack
from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import BLOCK_BYTES, Resampling
from stats.gold_table import SHARED_VALUES, SUPPORTED

Address = tuple[int, int | None]
# Each rater's values by address, as codes.
ValuesByRater = dict[Address, dict[str, int]]
# The type each rater gave an error; who gave none is left out.
TypesByRater = dict[Address, dict[str, str]]


@dataclass(frozen=True)
class Ratings:
    """Judgements of several annotators.

    Attributes
    ----------
    annotators : names, in the order of the columns
    ratings : (units, annotators) int
        Codes of values, or GAP.
    response : (units,) int
        Row of each unit's response.
    values : the values of the scheme, in the order of their codes
    """

    annotators: tuple[str, ...]
    ratings: Ints
    response: Ints
    values: tuple[str, ...] = SHARED_VALUES

    def by(self, annotators: Sequence[str]) -> "Ratings":
        """Ratings of some annotators, in this order."""
        columns = [self.annotators.index(name) for name in annotators]
        return replace(self, annotators=tuple(annotators), ratings=self.ratings[:, columns])

    def within(self, responses: Flags) -> "Ratings":
        """Ratings in some responses (a flag for each row)."""
        units = responses[self.response]
        return replace(self, ratings=self.ratings[units], response=self.response[units])

    def overlapping(self) -> "Ratings":
        """Units that two or more judged, and the annotators of such units."""
        units = (self.ratings != GAP).sum(axis=1) >= 2
        columns = np.flatnonzero((self.ratings[units] != GAP).any(axis=0))
        names = tuple(self.annotators[column] for column in columns)
        return replace(self, annotators=names, ratings=self.ratings[units][:, columns], response=self.response[units])


@dataclass(frozen=True)
class Clusters:
    """Prompts that are resampled: the number of each response's prompt, −1 where the prompt is left out."""

    of_response: Ints
    resampling: Resampling


@dataclass(frozen=True)
class Coding:
    """Overlapping ratings (`counted`) with `number` distinct values; `kind` is BINARY, ALL or TYPES."""

    kind: str
    number: int
    counted: Ratings


def as_binary(ratings: Ratings) -> Coding:
    """Ratings as error or not."""
    counted = ratings.overlapping()
    binary = np.where(counted.ratings == GAP, GAP, (counted.ratings != SUPPORTED).astype(np.int64))
    return Coding(BINARY, 2, Ratings(counted.annotators, binary, counted.response))


def with_all_values(ratings: Ratings) -> Coding:
    return Coding(ALL, len(ratings.values), ratings.overlapping())


def codings_of(ratings: Ratings) -> tuple[Coding, Coding]:
    """Ratings as error or not, and with all values."""
    return as_binary(ratings), with_all_values(ratings)


@dataclass(frozen=True)
class CountedRatings:
    """Sums of a coding, of each cluster (`own`), over all units (`whole`) and in each resample (`drawn`)."""

    coding: Coding
    own: Sums
    whole: Sums
    drawn: Sums

    @property
    def n(self) -> int:
        """The number of units that two or more judged."""
        return int(self.whole.n)

    @property
    def annotators(self) -> int:
        return len(self.coding.counted.annotators)


def count_each(codings: Sequence[Coding], clusters: Clusters) -> list[CountedRatings]:
    """Sums of each coding, all from the same draws.

    The draws are made as few times as memory allows: with 850 prompts once for some hundred codings.
    """
    counted: list[CountedRatings] = []
    for group in _groups(codings, len(clusters.resampling.strata)):
        sums = [_sums(coding, clusters) for coding in group]
        drawn = clusters.resampling.totals(np.concatenate(sums, axis=1))
        ends = np.cumsum([each.shape[1] for each in sums])
        parts = np.split(drawn, ends[:-1], axis=1)
        counted += [
            CountedRatings(
                coding,
                *(unpack(each, coding.number) for each in (own, own.sum(axis=0), part)),
            )
            for coding, own, part in zip(group, sums, parts, strict=True)
        ]
    return counted


def _sums(coding: Coding, clusters: Clusters) -> Floats:
    counted = coding.counted
    cluster = clusters.of_response[counted.response]
    return sum_by_cluster(counted.ratings, coding.number, cluster, len(clusters.resampling.strata))


def _groups(codings: Sequence[Coding], clusters: int) -> Iterator[list[Coding]]:
    """Blocks of as many at a time as fit in memory with their sums by cluster, at least one."""
    group: list[Coding] = []
    columns = 0
    for coding in codings:
        width = 1 + 3 * coding.number**2
        if group and 8 * clusters * (columns + width) > BLOCK_BYTES:
            yield group
            group, columns = [], 0
        group.append(coding)
        columns += width
    if group:
        yield group
