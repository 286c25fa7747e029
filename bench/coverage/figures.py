"""The figures whose intervals are simulated, each from sums of prompts, as the application computes them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench.coverage.population import Population
from stats.agreement import COEFFICIENTS, Coefficient, unpack
from stats.arrays import Floats, Ints, ratio
from stats.bootstrap import Interval
from stats.detection import METRICS, ConfusionCounts, Metric
from stats.intervals import difference_intervals, effective_intervals


@dataclass(frozen=True)
class SimulatedFigure:
    """A figure of a sample.

    Attributes
    ----------
    sums : function of a Population to its columns (P, K)
    compute : function of totals (…, K) to the figure (…)
    intervals : function of the sums (n, S, K) of S samples, of their figures (S,) and of those in the resamples (R, S)
        to an interval each
    """

    name: str
    sums: Callable[[Population], Floats]
    compute: Callable[[Floats], Floats]
    intervals: Callable[[Floats, Floats, Floats], list[Interval | None]]


def _counts(columns: Floats) -> ConfusionCounts:
    return ConfusionCounts(*np.moveaxis(columns[..., :4], -1, 0))


def _of_metric(metric: Metric) -> SimulatedFigure:
    def intervals(own: Floats, values: Floats, drawn: Floats) -> list[Interval | None]:
        return effective_intervals(values, drawn, metric.clusters(_counts(own)))

    return SimulatedFigure(
        metric.title,
        lambda population: population.evaluators[0].astype(np.float64),
        lambda totals: metric.compute(_counts(totals)),
        intervals,
    )


def _difference_of(metric: Metric) -> SimulatedFigure:
    def intervals(own: Floats, values: Floats, drawn: Floats) -> list[Interval | None]:
        return difference_intervals(values, drawn, metric.clusters(_counts(own)))

    return SimulatedFigure(
        f"{metric.title}, difference of two evaluators",
        lambda population: np.concatenate(population.evaluators, axis=1).astype(np.float64),
        lambda totals: metric.compute(_counts(totals[..., 4:])) - metric.compute(_counts(totals)),
        intervals,
    )


def _of_coefficient(coefficient: Coefficient) -> SimulatedFigure:
    def intervals(own: Floats, values: Floats, drawn: Floats) -> list[Interval | None]:
        whole = unpack(own.sum(axis=0), 2)
        telling = [coefficient.rests_on(unpack(own[:, sample], 2)) for sample in range(own.shape[1])]
        return effective_intervals(values, drawn, np.array(telling), low=coefficient.least(whole))

    return SimulatedFigure(
        f"{coefficient.title} of two annotators",
        lambda population: agreement_sums(population.annotators),
        lambda totals: coefficient.compute(unpack(totals, 2)),
        intervals,
    )


def agreement_sums(cells: Ints) -> Floats:
    """Rows for `unpack`, from the units (P, 4) that both annotators call errors, only one, only the other, neither."""
    both, one, other, neither = cells.T.astype(np.float64)
    confusion = np.stack([neither, other, one, both], axis=1)
    apart = (one + other) / 2
    pairs = np.stack([neither, apart, apart, both], axis=1)
    return np.concatenate([cells.sum(axis=1, keepdims=True).astype(np.float64), pairs, 2 * pairs, confusion], axis=1)


def _of_share(name: str, sums: Callable[[Population], Floats], low: float = 0.0) -> SimulatedFigure:
    """The first column over the last, over the prompts in which that is not 0."""

    def intervals(own: Floats, values: Floats, drawn: Floats) -> list[Interval | None]:
        return effective_intervals(values, drawn, (own[..., -1] > 0).sum(axis=0), low=low)

    return SimulatedFigure(name, sums, lambda totals: ratio(totals[..., 0], totals[..., -1]), intervals)


def _share_of_errors(population: Population) -> Floats:
    counts = _counts(population.evaluators[0])
    errors = counts.tp + counts.fn
    return np.stack([errors, errors + counts.fp + counts.tn], axis=1).astype(np.float64)


def _share_of_prompts(population: Population) -> Floats:
    with_error = _share_of_errors(population)[:, 0] > 0
    return np.stack([with_error, np.ones(len(with_error))], axis=1).astype(np.float64)


def _bias(population: Population) -> Floats:
    true, estimated, answered = population.scores.T
    return np.stack([estimated - true, answered], axis=1)


FIGURES = (
    *(_of_metric(METRICS[name]) for name in ("f1", "balanced_accuracy", "recall", "precision")),
    _difference_of(METRICS["f1"]),
    *(_of_coefficient(COEFFICIENTS[name]) for name in ("percent", "positive", "kappa", "alpha", "ac1")),
    _of_share("Share of units", _share_of_errors),
    _of_share("Share of prompts", _share_of_prompts),
    _of_share("FActScore", lambda population: population.scores[:, [0, 2]]),
    _of_share("Bias of an estimated FActScore", _bias, low=-1.0),
)
