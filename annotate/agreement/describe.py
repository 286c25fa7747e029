"""Agreement as it is printed: each coefficient with its interval, or why there is none (definitions.md §5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.agreement.coefficients import (
    GAP,
    Sums,
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
    specific_agreement,
    sum_by_cluster,
    unpack,
)
from annotate.agreement.resampling import Flags, Floats, Ints, Resampling, interval, known
from annotate.gold.table import SUPPORTED, VALUES

BINARY, ALL = "binary", "all"
CORRECT, ERROR = 0, 1

Coefficient = Callable[[Sums], Floats]

_ALWAYS: dict[str, Coefficient] = {
    "percent": percent_agreement,
    "kappa": cohen_kappa,
    "alpha": krippendorff_alpha,
    "ac1": gwet_ac1,
}
_OF: dict[str, dict[str, Coefficient]] = {
    BINARY: {
        **_ALWAYS,
        "positive": lambda sums: specific_agreement(sums, ERROR),
        "negative": lambda sums: specific_agreement(sums, CORRECT),
    },
    ALL: _ALWAYS,
}
NAMES = ("percent", "positive", "negative", "kappa", "alpha", "ac1")

NO_UNITS = "no unit was judged by two annotators"
NOT_TWO = "Cohen's kappa is of two annotators: see the pairs"
OF_BINARY = "a figure of error or not: see binary, and by_value"
_REASONS = {
    "positive": "nobody called anything an error",
    "negative": "nobody called anything correct",
    "kappa": "both gave one and the same value throughout",
    "alpha": "only one value occurs",
    "ac1": "chance alone agrees throughout",
}


@dataclass(frozen=True)
class Ratings:
    """Who said what: ratings (units, annotators) are codes of VALUES or GAP; `response` is the row of each unit's."""

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


def describe_agreement(ratings: Ratings, clusters: Clusters) -> list[dict[str, Any]]:
    """Two rows: as error or not ("binary") and with all values ("all"), the figures None where undefined.

    positive, negative: of binary; by_value: of "all". n: units that two or more judged.
    """
    counted = ratings.overlapping()
    binary = np.where(counted.ratings == GAP, GAP, (counted.ratings != SUPPORTED).astype(np.int64))
    return [
        _describe(BINARY, binary, 2, counted, clusters),
        _describe(ALL, counted.ratings, len(VALUES), counted, clusters),
    ]


def _describe(kind: str, values: Ints, number: int, counted: Ratings, clusters: Clusters) -> dict[str, Any]:
    cluster = clusters.of_response[counted.response]
    sums = sum_by_cluster(values, number, cluster, len(clusters.resampling.strata))
    whole, drawn = unpack(sums.sum(axis=0), number), unpack(clusters.resampling.totals(sums), number)
    row: dict[str, Any] = {"values": kind, "n": int(whole.n), **dict.fromkeys(NAMES)}
    intervals, reasons, undefined = {}, {}, {}
    for name in NAMES:
        why_not = _why_not(kind, name, len(counted.annotators), row["n"])
        row[name] = None if why_not else known(_OF[kind][name](whole))
        if row[name] is None:
            reasons[name] = why_not or _REASONS[name]
        elif around := interval(_OF[kind][name](drawn), len(np.unique(cluster))):
            intervals[name], undefined[name] = around.ends(), around.undefined
    row |= {"intervals": intervals, "undefined": reasons, "undefined_resamples": undefined}
    if kind == ALL:
        row["by_value"] = {value: known(specific_agreement(whole, code)) for code, value in enumerate(VALUES)}
    return row


def _why_not(kind: str, name: str, annotators: int, n: int) -> str:
    """Why a figure has no meaning here, "" where it has one."""
    if not n:
        return NO_UNITS
    if name not in _OF[kind]:
        return OF_BINARY
    return NOT_TWO if name == "kappa" and annotators != 2 else ""
