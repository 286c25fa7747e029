"""Agreement as it is printed: each coefficient with its interval, or why there is none.

See docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Callable, Sequence
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
)
from annotate.agreement.counting import Counted, count_each
from annotate.agreement.ratings import ALL, BINARY, CORRECT, ERROR, TYPES, Clusters, Ratings, codings_of
from annotate.agreement.resampling import Floats, Interval, interval, known
from annotate.gold.table import VALUES

Coefficient = Callable[[Sums], Floats]

_ALWAYS: dict[str, Coefficient] = {
    "percent": percent_agreement,
    "kappa": cohen_kappa,
    "alpha": krippendorff_alpha,
    "ac1": gwet_ac1,
}
COEFFICIENTS: dict[str, dict[str, Coefficient]] = {
    BINARY: {
        **_ALWAYS,
        "positive": lambda sums: specific_agreement(sums, ERROR),
        "negative": lambda sums: specific_agreement(sums, CORRECT),
    },
    ALL: _ALWAYS,
    TYPES: _ALWAYS,
}
NAMES = ("percent", "positive", "negative", "kappa", "alpha", "ac1")

NO_UNITS = "no unit was judged by two annotators"
NOT_TWO = "Cohen's kappa is of two annotators: see the pairs"
OF_BINARY = "a figure of error or not: see binary, and by_value"
REASONS = {
    "percent": NO_UNITS,
    "positive": "nobody called anything an error",
    "negative": "nobody called anything correct",
    "kappa": "both gave one and the same value throughout",
    "alpha": "only one value occurs",
    "ac1": "chance alone agrees throughout",
}


def describe_each(many: Sequence[Ratings], clusters: Clusters) -> list[list[dict[str, Any]]]:
    """Of each set of ratings two rows: as error or not ("binary") and with all values ("all").

    Figures are None where undefined. positive, negative: of binary; by_value: of "all", how often, where one gave the
    value, another did too, with the number of units in which somebody gave it. n: units that two or more judged.
    """
    counted = count_each([coding for ratings in many for coding in codings_of(ratings)], clusters)
    rows = [describe(each) for each in counted]
    return [list(pair) for pair in zip(rows[::2], rows[1::2], strict=True)]


def describe(counted: Counted) -> dict[str, Any]:
    """One row: the figures, `intervals`, in how many resamples each was undefined, and why one is None."""
    kind = counted.coding.kind
    row: dict[str, Any] = {"values": kind, "n": counted.n, **dict.fromkeys(NAMES)}
    intervals, reasons, undefined = {}, {}, {}
    for name in NAMES:
        why_not = why_undefined(counted, name)
        row[name] = None if why_not else known(COEFFICIENTS[kind][name](counted.whole))
        if row[name] is None:
            reasons[name] = why_not or REASONS[name]
        elif around := interval(COEFFICIENTS[kind][name](counted.drawn), counted.prompts):
            intervals[name], undefined[name] = around.ends(), around.undefined
    row |= {"intervals": intervals, "undefined": reasons, "undefined_resamples": undefined}
    return row | by_value(counted, VALUES) if kind == ALL else row


def by_value(counted: Counted, values: Sequence[str]) -> dict[str, Any]:
    """Specific agreement on each value: by_value, by_value_n, by_value_intervals, by_value_undefined_resamples."""
    figures: dict[str, float | None] = {}
    around: dict[str, Interval] = {}
    for code, value in enumerate(values):
        figures[value] = known(specific_agreement(counted.whole, code))
        found = interval(specific_agreement(counted.drawn, code), counted.prompts)
        if found and figures[value] is not None:
            around[value] = found
    return {
        "by_value": figures,
        "by_value_n": dict(zip(values, _units_with(counted, len(values)), strict=True)),
        "by_value_intervals": {value: found.ends() for value, found in around.items()},
        "by_value_undefined_resamples": {value: found.undefined for value, found in around.items()},
    }


def why_undefined(counted: Counted, name: str) -> str:
    """Why a figure has no meaning here, "" where it has one."""
    if not counted.n:
        return NO_UNITS
    if name not in COEFFICIENTS[counted.coding.kind]:
        return OF_BINARY
    return NOT_TWO if name == "kappa" and counted.annotators != 2 else ""


def _units_with(counted: Counted, values: int) -> list[int]:
    """In how many units somebody gave each value."""
    ratings = np.where(counted.coding.counted.ratings == GAP, values, counted.coding.counted.ratings)
    return [int((ratings == code).any(axis=1).sum()) for code in range(values)]
