"""Rows of agreement: each coefficient with its interval, or the reason why it has none.

References
----------
docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stats.agreement import (
    ALL,
    COEFFICIENTS,
    GAP,
    NO_UNITS,
    TYPES,
    clusters_with,
    coefficients_of,
    interval_of,
    mean_pair_kappa,
    specific_agreement,
)
from stats.arrays import known
from stats.bootstrap import Interval
from stats.gold_table import SUPPORTED
from stats.intervals import difference_interval, effective_interval, why_withheld
from stats.ratings import Clusters, Coding, CountedRatings, Ratings, ValuesByRater, codings_of, count_each

OF_PAIRS = "the mean over the pairs of annotators: see their intervals under pairs"
OF_BINARY = "a figure of error or not: see binary, and by_value"


def describe_each(many: Sequence[Ratings], clusters: Clusters) -> list[list[dict[str, Any]]]:
    """Two rows for each set of ratings: as error or not ("binary"), and with all values ("all").

    Parameters
    ----------
    many : sets of ratings
    clusters : the prompts that are resampled

    Returns
    -------
    For each set its two rows, as `describe` gives them.
    """
    counted = count_each([coding for ratings in many for coding in codings_of(ratings)], clusters)
    rows = [describe(each) for each in counted]
    return [list(pair) for pair in zip(rows[::2], rows[1::2], strict=True)]


def describe(counted: CountedRatings) -> dict[str, Any]:
    """One row of figures.

    Returns
    -------
    {"values", "n", "error_prompts", every name of COEFFICIENTS, "intervals", "withheld", "undefined",
    "undefined_resamples"}, and the keys of `by_value` for all values. n: units that two or more judged; error_prompts:
    prompts in which one of them called a unit an error. A figure is None where it is undefined, with its reason under
    "undefined"; a figure without an interval has its reason under "withheld"; "undefined_resamples" counts the
    resamples in which a figure has no value.
    """
    kind = counted.coding.kind
    row: dict[str, Any] = {"values": kind, "n": counted.n, "error_prompts": _error_prompts(counted)}
    row |= dict.fromkeys(COEFFICIENTS)
    intervals, withheld, reasons, undefined = {}, {}, {}, {}
    for name, coefficient in COEFFICIENTS.items():
        row[name] = value_of(counted, name)
        if row[name] is None:
            reasons[name] = why_undefined(counted, name) or coefficient.why_undefined
        elif is_of_pairs(counted, name):
            withheld[name] = OF_PAIRS
        elif around := interval_of(coefficient, counted.own, counted.drawn):
            intervals[name], undefined[name] = around.ends(), around.undefined
        else:
            withheld[name] = why_withheld(coefficient.rests_on(counted.own), coefficient.what)
    row |= {"intervals": intervals, "withheld": withheld, "undefined": reasons, "undefined_resamples": undefined}
    return row | by_value(counted, counted.coding.counted.values) if kind == ALL else row


def _error_prompts(counted: CountedRatings) -> int:
    """Prompts in which one calls a unit an error; types of errors are given to nothing else."""
    first = 0 if counted.coding.kind == TYPES else 1
    return int((counted.own.pairs[:, first:].sum(axis=(1, 2)) > 0).sum())


def by_value(counted: CountedRatings, values: Sequence[str]) -> dict[str, Any]:
    """Specific agreement on each value.

    Returns
    -------
    {"by_value", "by_value_n", "by_value_intervals", "by_value_withheld", "by_value_undefined_resamples"}, each by
    value. n: units to which an annotator gave the value. None where no annotator gave it.
    """
    figures: dict[str, float | None] = {}
    around: dict[str, Interval] = {}
    withheld: dict[str, str] = {}
    for code, value in enumerate(values):
        figures[value] = known(specific_agreement(counted.whole, code))
        drawn, prompts = specific_agreement(counted.drawn, code), clusters_with(counted.own, code)
        if ends := effective_interval(figures[value], drawn, prompts):
            around[value] = ends
        elif figures[value] is not None:
            withheld[value] = why_withheld(prompts, "prompts with the value")
    return {
        "by_value": figures,
        "by_value_n": dict(zip(values, _units_with(counted, len(values)), strict=True)),
        "by_value_intervals": {value: ends.ends() for value, ends in around.items()},
        "by_value_withheld": withheld,
        "by_value_undefined_resamples": {value: ends.undefined for value, ends in around.items()},
    }


def why_undefined(counted: CountedRatings, name: str) -> str:
    """The reason why a figure has no meaning for this coding; "" where it has one."""
    if not counted.n:
        return NO_UNITS
    return "" if name in coefficients_of(counted.coding.kind) else OF_BINARY


def is_of_pairs(counted: CountedRatings, name: str) -> bool:
    """The figure is a mean over pairs of annotators, since more than two judged."""
    return COEFFICIENTS[name].two_only and counted.annotators != 2


def value_of(counted: CountedRatings, name: str) -> float | None:
    """The figure; None where it is undefined."""
    if why_undefined(counted, name):
        return None
    if is_of_pairs(counted, name):
        return mean_pair_kappa(counted.coding.counted.ratings, counted.coding.number)
    return known(COEFFICIENTS[name].compute(counted.whole))


def _units_with(counted: CountedRatings, values: int) -> list[int]:
    """The number of units in which an annotator gave each value."""
    ratings = np.where(counted.coding.counted.ratings == GAP, values, counted.coding.counted.ratings)
    return [int((ratings == code).any(axis=1).sum()) for code in range(values)]


NO_TYPES = "no unit was given a type by two annotators who both call it an error"


def describe_types(ratings: Ratings, types: Ratings, names: Sequence[str], clusters: Clusters) -> dict[str, Any]:
    """Agreement on the type of error, over units that two or more call errors.

    Parameters
    ----------
    ratings : Ratings
    types : Ratings
        The rows and columns of `ratings`: codes of `names`, or GAP where no type was given.
    names : the types
    clusters : the prompts that are resampled

    Returns
    -------
    A row as of `describe`, with `by_value` of each type. n: units to which two or more gave a type; both_errors: units
    that two or more call errors.
    """
    errors = (ratings.ratings != GAP) & (ratings.ratings != SUPPORTED)
    both = errors.sum(axis=1) >= 2
    type_ratings = Ratings(
        types.annotators, np.where(errors, types.ratings, GAP)[both], types.response[both]
    ).overlapping()
    (counted,) = count_each([Coding(TYPES, max(2, len(names)), type_ratings)], clusters)
    row = {**describe(counted), **by_value(counted, names), "both_errors": int(both.sum())}
    if not counted.n:
        row["undefined"] = dict.fromkeys(row["undefined"], NO_TYPES)
    return row


def compare_revisions(before: Ratings, after: Ratings, clusters: Clusters) -> list[dict[str, Any]]:
    """Agreement before and after rebuttal, with the difference.

    The interval of a difference is paired: the same prompts are drawn for both.

    Returns
    -------
    Two rows (binary, all): {"values", "n_before", "n_after", "figures"}. A figure: {"before", "after", "difference",
    "interval", "undefined", "undefined_resamples"}, None where undefined; the interval also where it
    rests on too few prompts before or after, and where every resample gives the same difference.
    """
    counted = count_each([*codings_of(before), *codings_of(after)], clusters)
    return [_compare(first, last) for first, last in zip(counted[:2], counted[2:], strict=True)]


def _compare(first: CountedRatings, last: CountedRatings) -> dict[str, Any]:
    kind = first.coding.kind
    figures = {name: _figure(name, first, last) for name in coefficients_of(kind)}
    return {"values": kind, "n_before": first.n, "n_after": last.n, "figures": figures}


def _figure(name: str, first: CountedRatings, last: CountedRatings) -> dict[str, Any]:
    coefficient, compute = COEFFICIENTS[name], COEFFICIENTS[name].compute
    why_not = [why_undefined(each, name) for each in (first, last)]
    before, after = value_of(first, name), value_of(last, name)
    figure = {"before": before, "after": after, "difference": None, "interval": None, "undefined": ""}
    if before is None or after is None:
        return figure | {"undefined": why_not[0] or why_not[1] or coefficient.why_undefined}
    if is_of_pairs(first, name) or is_of_pairs(last, name):
        return figure | {"difference": after - before, "undefined_resamples": None}
    reach = 1 - min(float(coefficient.least(each.whole)) for each in (first, last))
    prompts = min(coefficient.rests_on(each.own) for each in (first, last))
    around = difference_interval(after - before, compute(last.drawn) - compute(first.drawn), prompts, reach)
    return figure | {
        "difference": after - before,
        "interval": around.ends() if around else None,
        "undefined_resamples": around.undefined if around else None,
    }


def count_moves(before: ValuesByRater, after: ValuesByRater) -> dict[str, int]:
    """Changes of judgements in rebuttals.

    Parameters
    ----------
    before, after : the codes of values at each address, by rater

    Returns
    -------
    {"judgements", "changed", "came_together", "parted"}. changed: judgements with another value now, gone, or new;
    came_together, parted: units whose raters agree now, or no longer do, on error or not.
    """
    everywhere = {**before, **after}
    changed = sum(
        before.get(address, {}).get(name) != after.get(address, {}).get(name)
        for address in everywhere
        for name in {**before.get(address, {}), **after.get(address, {})}
    )
    judgements = sum(len(values) for values in before.values())
    shared = [address for address in before if len(before[address]) > 1 and len(after.get(address, {})) > 1]
    split = np.array([[_split(before[address]), _split(after[address])] for address in shared], dtype=np.bool_)
    first, last = split.reshape(len(shared), 2).T
    return {
        "judgements": judgements,
        "changed": changed,
        "came_together": int((first & ~last).sum()),
        "parted": int((~first & last).sum()),
    }


def _split(values: dict[str, int]) -> bool:
    """Some call it an error and some do not."""
    return len({value == SUPPORTED for value in values.values()}) > 1
