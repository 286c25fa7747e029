"""Who said what, as plain arrays: what agreement is counted over (no database)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.agreement import GAP
from stats.bootstrap import Flags, Ints, Resampling
from stats.gold_table import SUPPORTED, VALUES

Address = tuple[int, int | None]
# What each rater said at each address, as codes of values.
Said = dict[Address, dict[str, int]]
# The type each rater gave an error; who gave none is left out.
Types = dict[Address, dict[str, str]]

BINARY, ALL, TYPES = "binary", "all", "types"
CORRECT, ERROR = 0, 1


@dataclass(frozen=True)
class Ratings:
    """`ratings` (units, annotators) are codes of values or GAP; `response` is the row of each unit's."""

    annotators: tuple[str, ...]
    ratings: Ints
    response: Ints

    def by(self, annotators: Sequence[str]) -> "Ratings":
        """Those of some annotators, in this order."""
        columns = [self.annotators.index(name) for name in annotators]
        return Ratings(tuple(annotators), self.ratings[:, columns], self.response)

    def within(self, responses: Flags) -> "Ratings":
        """Those in some responses (a flag for each row)."""
        units = responses[self.response]
        return Ratings(self.annotators, self.ratings[units], self.response[units])

    def overlapping(self) -> "Ratings":
        """Only units that two or more judged, and only annotators of such units."""
        units = (self.ratings != GAP).sum(axis=1) >= 2
        columns = np.flatnonzero((self.ratings[units] != GAP).any(axis=0))
        names = tuple(self.annotators[column] for column in columns)
        return Ratings(names, self.ratings[units][:, columns], self.response[units])


@dataclass(frozen=True)
class Clusters:
    """The prompts that are resampled: the number of each response's, -1 where its prompt is left out."""

    of_response: Ints
    resampling: Resampling


@dataclass(frozen=True)
class Coding:
    """Overlapping ratings in one way of telling values apart: `number` of them, or gaps."""

    kind: str
    number: int
    counted: Ratings


def as_binary(ratings: Ratings) -> Coding:
    """Error or not."""
    counted = ratings.overlapping()
    binary = np.where(counted.ratings == GAP, GAP, (counted.ratings != SUPPORTED).astype(np.int64))
    return Coding(BINARY, 2, Ratings(counted.annotators, binary, counted.response))


def with_all_values(ratings: Ratings) -> Coding:
    return Coding(ALL, len(VALUES), ratings.overlapping())


def codings_of(ratings: Ratings) -> tuple[Coding, Coding]:
    """As error or not ("binary"), and with all values ("all")."""
    return as_binary(ratings), with_all_values(ratings)
