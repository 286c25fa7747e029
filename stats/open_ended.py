"""Factuality in open-ended generation: shares, accuracy and their intervals.

A generation that people could judge counts once, however many they are: where they differ, each label has its part of
it.

References
----------
Muhlgay et al. (2024), FACTOR, §6.2, tables 4 and 5. docs/statistics.md, FACTOR.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums
from stats.intervals import difference_interval, effective_intervals

RIGHT, WRONG = 0, 1
# The columns of a generation's labels, and of a row of figures.
NEUTRAL, TRUE, FALSE = range(3)
FIGURES = ("neutral", "true", "false", "accuracy")
ROWS = ("right", "wrong", "all")
OF_GROUP = 1 + len((NEUTRAL, TRUE, FALSE))


@dataclass(frozen=True)
class JudgedGenerations:
    """Generations of one model that count.

    Attributes
    ----------
    group : (N,) int
        RIGHT or WRONG, of their pair.
    cluster : (N,) int
        Number of their document, among those of all models that are compared.
    answer_shares : (N, 3)
        The share of its labels that is NEUTRAL, TRUE, FALSE; a row adds up to 1.
    weights : (int, int)
        How many of the benchmark's pairs that count the model was right on, and how many wrong.
    """

    group: Ints
    cluster: Ints
    answer_shares: Floats
    weights: tuple[int, int]


@dataclass(frozen=True)
class OpenEndedFigure:
    """A figure; None where nothing was judged, or nothing was true or false.

    `interval` is None below eight documents too.
    """

    value: float | None
    interval: Interval | None


@dataclass(frozen=True)
class OpenEndedRow:
    """A line of table 5. n: generations; FIGURES are its attributes."""

    name: str
    n: int
    neutral: OpenEndedFigure
    true: OpenEndedFigure
    false: OpenEndedFigure
    accuracy: OpenEndedFigure


@dataclass(frozen=True)
class AccuracyDifference:
    """The weighted accuracy of one model less that of another, by their places; None where either has none.

    The interval is None too where every resample gives the same value, as it does when both models are all one way.
    """

    places: tuple[int, int]
    difference: float | None
    interval: Interval | None


def shares(totals: Floats, weights: tuple[int, int]) -> Floats:
    """The figures of totals of both groups.

    The last row weights the shares of the groups by the model's right and wrong pairs, and accuracy is T / (T + F)
    there as in the others: it is no mean of their accuracies. A group without any pair in the benchmark weighs nothing;
    where neither has one, the row is undefined.

    Parameters
    ----------
    totals : (…, 2, 4)
        Of each group the generations, and those neutral, true, false.
    weights : (int, int)
        Right and wrong pairs of the benchmark.

    Returns
    -------
    (…, 3, 4), ROWS by FIGURES; nan where undefined.
    """
    of_groups = ratio(totals[..., 1:], totals[..., :1])
    nothing = np.full(of_groups.shape[:-2] + of_groups.shape[-1:], 0.0 if any(weights) else np.nan)
    parts = ((number / sum(weights), group) for group, number in enumerate(weights) if number)
    weighted = sum((part * of_groups[..., group, :] for part, group in parts), nothing)
    rows = np.stack([of_groups[..., RIGHT, :], of_groups[..., WRONG, :], weighted], axis=-2)
    accuracy = ratio(rows[..., TRUE], rows[..., TRUE] + rows[..., FALSE])
    figures: Floats = np.concatenate([rows, accuracy[..., None]], axis=-1)
    return figures


def table(judged: Sequence[JudgedGenerations]) -> tuple[list[list[OpenEndedRow]], list[AccuracyDifference]]:
    """The three rows of each model, and the difference of every two models' weighted accuracies.

    Documents are resampled, apart those that are in the same groups, so that each group keeps about its size: for the
    rows of a model its own, with any other model beside it; for a difference those of both together.
    """
    rows = [_rows(each, *_measure([each])) for each in judged]
    pairs = list(combinations(range(len(judged)), 2))
    return rows, [_difference(places, *_measure([judged[place] for place in places])) for places in pairs]


@dataclass(frozen=True)
class _Measured:
    """figures (3, 4) and the same in each resample (R, 3, 4); behind (3, 4): on how many documents each rests."""

    figures: Floats
    drawn: Floats
    behind: Ints


def _measure(judged: Sequence[JudgedGenerations]) -> list[_Measured]:
    """The figures of models whose documents are drawn together."""
    clusters = 1 + max(int(each.cluster.max(initial=0)) for each in judged)
    sums = np.stack([_sums(each, clusters) for each in judged], axis=1)  # (C, models, 2, 4)
    drawn = _drawn(sums[(sums[..., 0] > 0).any(axis=(1, 2))])
    return [
        _Measured(
            shares(sums[:, place].sum(axis=0), each.weights),
            shares(drawn[:, place], each.weights),
            _clusters_behind(sums[:, place]),
        )
        for place, each in enumerate(judged)
    ]


def _drawn(sums: Floats) -> Floats:
    """The totals (R, models, 2, 4) of each resample of the documents; none without a document."""
    if not len(sums):
        return np.zeros((1, *sums.shape[1:]))
    _, strata = np.unique((sums[..., 0] > 0).reshape(len(sums), -1), axis=0, return_inverse=True)
    resampling = Resampling(strata.ravel())
    return resampling.totals(sums.reshape(len(sums), -1)).reshape(resampling.resamples, *sums.shape[1:])


def _sums(judged: JudgedGenerations, clusters: int) -> Floats:
    """(C, 2, 4): of each document in each group the generations, and how much of them is neutral, true, false."""
    columns = np.concatenate([np.ones((len(judged.answer_shares), 1)), judged.answer_shares], axis=1)
    of_groups = [columns * (judged.group == group)[:, None] for group in (RIGHT, WRONG)]
    sums = cluster_sums(judged.cluster, np.concatenate(of_groups, axis=1), clusters)
    return sums.reshape(clusters, len(of_groups), OF_GROUP)


def _clusters_behind(sums: Floats) -> Ints:
    """(3, 4) of (C, 2, 4): how many documents have texts of a row; for accuracy, true or false ones."""
    judged, decided = sums[..., 0] > 0, sums[..., 1 + TRUE] + sums[..., 1 + FALSE] > 0
    columns = [*[judged] * (OF_GROUP - 1), decided]
    return np.stack([_in_rows(each) for each in columns], axis=-1)


def _in_rows(present: Flags) -> Ints:
    """(3,) of (C, 2): the documents of each of ROWS."""
    return np.array([*present.sum(axis=0), present.any(axis=1).sum()], dtype=np.int64)


def _rows(judged: JudgedGenerations, measured: _Measured) -> list[OpenEndedRow]:
    of_groups = [int((judged.group == group).sum()) for group in (RIGHT, WRONG)]
    behind = measured.behind.ravel()
    values = measured.figures.ravel()
    around = effective_intervals(values, measured.drawn.reshape(len(measured.drawn), len(behind)), behind)
    cells = [OpenEndedFigure(known(value), each) for value, each in zip(values, around, strict=True)]
    return [
        OpenEndedRow(name, n, *cells[place * len(FIGURES) : (place + 1) * len(FIGURES)])
        for place, (name, n) in enumerate(zip(ROWS, [*of_groups, sum(of_groups)], strict=True))
    ]


def _difference(places: tuple[int, int], one: _Measured, other: _Measured) -> AccuracyDifference:
    value = known(one.figures[-1, -1] - other.figures[-1, -1])
    clusters = int(np.minimum(one.behind, other.behind)[-1, -1])
    return AccuracyDifference(places, value, difference_interval(value, (one.drawn - other.drawn)[:, -1, -1], clusters))
