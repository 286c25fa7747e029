"""Shares and means over the completions of a sample, each with its interval.

See docs/statistics.md, Intervals and tests, and FACTOR.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import Floats, Ints, Resampling, cluster_sums, interval, known, ratio
from annotate.agreement.wilson import wilson_interval


@dataclass(frozen=True)
class Figure:
    """`value` is part / whole, None where the whole is 0; `interval` None where it rests on a single document."""

    value: float | None
    interval: tuple[float, float] | None
    part: float
    whole: float


@dataclass(frozen=True)
class Quotient:
    """The sum of `part` over that of `whole`, of each completion (units,). A share has parts of 0 to their whole."""

    part: Floats
    whole: Floats
    is_share: bool = True


def share_of(hits: Sequence[bool], among: Sequence[bool] | None = None) -> Quotient:
    """How many of the completions, or of some `among` them, are hit."""
    counted = np.ones(len(hits)) if among is None else np.array(among, dtype=np.float64)
    return Quotient(np.array(hits, dtype=np.float64) * counted, counted)


def clusters_of(documents: Sequence[str]) -> Ints:
    """The number of each completion's document: what is resampled whole."""
    _, cluster = np.unique(np.array(documents, dtype=object), return_inverse=True)
    return np.asarray(cluster, dtype=np.int64)


def measure(quotients: Sequence[Quotient], cluster: Ints) -> list[Figure]:
    """Each with the percentile interval of a bootstrap that draws documents, all of them from the same draws.

    A share of nothing or of all would seem to have no spread, as no draw can differ: it gets Wilson's interval over as
    many independent draws as there are documents.
    """
    number = int(cluster.max()) + 1
    columns = np.column_stack([column for each in quotients for column in (each.part, each.whole)])
    sums = cluster_sums(cluster, columns, number)
    drawn = Resampling(np.zeros(number, dtype=np.int64)).totals(sums)
    return [
        _figure(quotient, sums[:, 2 * place : 2 * place + 2], drawn[:, 2 * place : 2 * place + 2])
        for place, quotient in enumerate(quotients)
    ]


def _figure(quotient: Quotient, sums: Floats, drawn: Floats) -> Figure:
    part, whole = sums.sum(axis=0)
    value = known(ratio(part, whole))
    resting_on = int((sums[:, 1] > 0).sum())
    if value is None or resting_on < 2:
        return Figure(value, None, float(part), float(whole))
    if quotient.is_share and value in (0.0, 1.0):
        return Figure(value, wilson_interval(value, resting_on), float(part), float(whole))
    around = interval(ratio(drawn[:, 0], drawn[:, 1]), resting_on)
    return Figure(value, None if around is None else (around.low, around.high), float(part), float(whole))
