"""The smallest difference that a data set can show, before a run is paid for (definitions.md §6)."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from annotate.agreement.resampling import SEED, Flags, Floats, Ints
from evaluators.metrics.detection import CORRECT, ERROR, Counts, Decisions, f1

SIMULATIONS = 400
SIGNIFICANT, POWER = 0.05, 0.8
# More clusters than these are simulated by a sample of them: standard errors go with the root of their number.
MOST_CLUSTERS = 2_000

NO_ERRORS = "gold has no error here"
TOO_FEW = "not even a perfect evaluator could be told apart from one with these rates"


@dataclass(frozen=True)
class Rates:
    """An evaluator as it is imagined: the share of errors that it finds, and of correct units that it calls errors.

    correlation: how alike its luck is on units of one prompt, from 0 to below 1: the intraclass correlation of being
    right, a beta distribution of each rate over prompts.
    """

    recall: float = 0.5
    false_alarms: float = 0.2
    correlation: float = 0.1


@dataclass(frozen=True)
class Detectable:
    """difference: of F1; None where nothing can be shown, and `why`. n: units with gold; f1: of the imagined rates."""

    n: int
    f1: float | None
    difference: float | None
    why: str


def smallest_differences(
    gold: Decisions, cluster: Ints, part: Ints, parts: int, rates: Rates, seed: int = SEED
) -> list[Detectable]:
    """Over all units, then in each part (`part` numbers that of each unit, -1 for none).

    Two evaluators of the same rates are simulated on the data set's own clusters, each with luck of its own; s is the
    spread of the difference of their F1. A test at 5 % finds a true difference of (1.96 + 0.84)·s four times in five.
    """
    counted = (gold == ERROR) | (gold == CORRECT)
    inside = [counted, *(counted & (part == place) for place in range(parts))]
    return [_smallest(gold[units] == ERROR, cluster[units], rates, seed) for units in inside]


def _smallest(errors: Flags, cluster: Ints, rates: Rates, seed: int) -> Detectable:
    if not errors.any():
        return Detectable(len(errors), None, None, NO_ERRORS)
    _, numbers = np.unique(cluster, return_inverse=True)
    sizes = np.stack([np.bincount(numbers, weights=kind) for kind in (errors, ~errors)], axis=1).astype(np.int64)
    generator = np.random.default_rng(seed)
    chosen = sizes if len(sizes) <= MOST_CLUSTERS else generator.choice(sizes, MOST_CLUSTERS, replace=False)
    spread = float(np.std(_simulate(chosen, rates, generator) - _simulate(chosen, rates, generator)))
    spread *= np.sqrt(len(chosen) / len(sizes))
    reached = _expected_f1(errors, rates)
    normal = NormalDist()
    difference = (normal.inv_cdf(1 - SIGNIFICANT / 2) + normal.inv_cdf(POWER)) * spread
    if reached + difference >= 1:
        return Detectable(len(errors), reached, None, TOO_FEW)
    return Detectable(len(errors), reached, difference, "")


def _simulate(sizes: Ints, rates: Rates, generator: np.random.Generator) -> Floats:
    """F1 of an evaluator in each simulation; sizes (clusters, 2): the errors and the correct units of each."""
    shape = (SIMULATIONS, len(sizes))
    found, alarms = (
        generator.binomial(of, _rate(rate, rates.correlation, shape, generator)).sum(axis=1).astype(np.float64)
        for of, rate in zip(sizes.T, (rates.recall, rates.false_alarms), strict=True)
    )
    errors, correct = sizes.sum(axis=0)
    return f1(Counts(tp=found, fp=alarms, fn=errors - found, tn=correct - alarms))


def _rate(mean: float, correlation: float, shape: tuple[int, int], generator: np.random.Generator) -> float | Floats:
    """The rate in each cluster: a beta distribution whose intraclass correlation is the one asked for."""
    if not correlation or mean in (0, 1):
        return np.full(shape, mean)
    strength = 1 / correlation - 1
    return generator.beta(mean * strength, (1 - mean) * strength, size=shape)


def _expected_f1(errors: Flags, rates: Rates) -> float:
    found, alarms = rates.recall * errors.sum(), rates.false_alarms * (~errors).sum()
    return float(2 * found / (found + alarms + errors.sum()))
