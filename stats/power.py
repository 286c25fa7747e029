"""The smallest difference that a dataset can show, before a run is paid for.

References
----------
docs/statistics.md, Intervals and tests.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from stats.arrays import Flags, Floats, Ints, ratio
from stats.bootstrap import SEED
from stats.detection import CORRECT, ERROR, ConfusionCounts, Decisions, f1
from stats.step_down import SIGNIFICANT

SIMULATIONS = 400
POWER = 0.8
# More clusters than these are simulated by a sample of them: standard errors go with the root of their number.
MOST_CLUSTERS = 2_000

NO_ERRORS = "no error in gold"
# Not even a perfect evaluator would differ significantly from one with these rates.
TOO_FEW = "too few units"


@dataclass(frozen=True)
class SimulatedRates:
    """Rates of an imagined evaluator.

    Attributes
    ----------
    recall, false_alarms : float
        The share of errors that it finds, and of correct units that it calls errors, each from 0 to 1.
    correlation : float
        Intraclass correlation of being right on units of one prompt, from 0 to below 1; each rate has a beta
        distribution over prompts.
    shared : float
        Correlation of the luck of two evaluators, who judge the same prompts, from 0 to below 1.
    comparisons : int
        How many pairs are tested together.
    """

    recall: float = 0.5
    false_alarms: float = 0.2
    correlation: float = 0.1
    shared: float = 0.4
    comparisons: int = 1


@dataclass(frozen=True)
class Detectable:
    """The smallest difference of F1, None where none can be detected; `why` is the reason.

    Attributes
    ----------
    n : int
        Units with gold.
    f1 : float, or None
        F1 of the imagined rates.
    difference : float, or None
    why : "" where there is a difference
    """

    n: int
    f1: float | None
    difference: float | None
    why: str


def smallest_differences(
    gold: Decisions, cluster: Ints, part: Ints, parts: int, rates: SimulatedRates, seed: int = SEED
) -> list[Detectable]:
    """The smallest detectable difference over all units, then in each part.

    An evaluator of these rates is simulated on the dataset's own clusters. Two of them whose luck is correlated by r
    differ by s = √(2(1 − r)) times the spread of its F1. A test of one pair at 5 % finds a true difference of
    (1.96 + 0.84)·s four times in five. Of several pairs the first step of a step-down tests at 5 % over their number.

    Parameters
    ----------
    gold : (N,) int8
    cluster : (N,) int
    part : (N,) int
        Number of each unit's part, −1 for none.
    parts : int
    rates : SimulatedRates
    seed : int
    """
    counted = (gold == ERROR) | (gold == CORRECT)
    cells = _cells(gold[counted] == ERROR, cluster[counted], part[counted], parts)
    generator = np.random.default_rng(seed)
    chosen = _sample(cells, generator)
    normal = NormalDist()
    quantiles = normal.inv_cdf(1 - SIGNIFICANT / (2 * rates.comparisons)) + normal.inv_cdf(POWER)
    wanted = quantiles * np.sqrt(2 * (1 - rates.shared))
    scale = np.sqrt(ratio(chosen.clusters, cells.clusters))
    spreads = wanted * scale * np.std(_simulate(chosen, rates, generator), axis=0)
    # A small part may have errors, but none of them in the sample: its F1 was not simulated, and nothing bounds it.
    spreads[chosen.totals[:, 0] == 0] = np.inf
    return [_describe(sizes, float(spread), rates) for sizes, spread in zip(cells.totals, spreads, strict=True)]


@dataclass(frozen=True)
class Cells:
    """Units of one cluster in one part, counted.

    Attributes
    ----------
    sizes : (cells, 2) int
        Errors and correct units.
    cluster : (cells,) int
    inside : (cells, 1 + parts) bool
        Where the cell counts: in the whole, and in its part.
    """

    sizes: Ints
    cluster: Ints
    inside: Flags

    @property
    def totals(self) -> Ints:
        """(1 + parts, 2)"""
        counted: Ints = self.inside.T.astype(np.int64) @ self.sizes
        return counted

    @property
    def clusters(self) -> Ints:
        """The number of clusters in each of (1 + parts,); a part has one cell for each cluster."""
        held: Ints = self.inside.sum(axis=0)
        held[0] = len(np.unique(self.cluster))
        return held


def _cells(errors: Flags, cluster: Ints, part: Ints, parts: int) -> Cells:
    names, cell = np.unique(np.stack([cluster, part], axis=1), axis=0, return_inverse=True)
    cell = cell.ravel()
    sizes = np.stack([np.bincount(cell, weights=kind, minlength=len(names)) for kind in (errors, ~errors)], axis=1)
    inside = np.concatenate([np.ones((len(names), 1)), names[:, 1:] == np.arange(parts)], axis=1)
    _, numbers = np.unique(names[:, 0], return_inverse=True)
    return Cells(sizes.astype(np.int64), numbers, inside.astype(np.bool_))


def _sample(cells: Cells, generator: np.random.Generator) -> Cells:
    """The cells of MOST_CLUSTERS clusters, or all."""
    count = len(np.unique(cells.cluster))
    if count <= MOST_CLUSTERS:
        return cells
    chosen = np.isin(cells.cluster, generator.choice(count, MOST_CLUSTERS, replace=False))
    _, numbers = np.unique(cells.cluster[chosen], return_inverse=True)
    return Cells(cells.sizes[chosen], numbers, cells.inside[chosen])


def _simulate(cells: Cells, rates: SimulatedRates, generator: np.random.Generator) -> Floats:
    """F1 in each simulation (simulations, 1 + parts); a cluster has its own rates, in every part."""
    shape = (SIMULATIONS, int(cells.cluster.max(initial=-1)) + 1)
    inside = cells.inside.astype(np.float64)
    hits, alarms = (
        generator.binomial(of, _rate(rate, rates.correlation, shape, generator)[:, cells.cluster]) @ inside
        for of, rate in zip(cells.sizes.T, (rates.recall, rates.false_alarms), strict=True)
    )
    errors, correct = cells.totals.T
    return f1(ConfusionCounts(tp=hits, fp=alarms, fn=errors - hits, tn=correct - alarms))


def _rate(mean: float, correlation: float, shape: tuple[int, int], generator: np.random.Generator) -> Floats:
    """The rate in each cluster: a beta distribution whose intraclass correlation is the one asked for. One who finds
    all, or nothing, does so in every cluster."""
    if not correlation or mean in (0, 1):
        return np.full(shape, mean)
    strength = 1 / correlation - 1
    return generator.beta(mean * strength, (1 - mean) * strength, size=shape)


def _describe(sizes: Ints, difference: float, rates: SimulatedRates) -> Detectable:
    errors, correct = (int(size) for size in sizes)
    if not errors:
        return Detectable(correct, None, None, NO_ERRORS)
    hits, alarms = rates.recall * errors, rates.false_alarms * correct
    reached = 2 * hits / (hits + alarms + errors)
    if reached + difference >= 1:
        return Detectable(errors + correct, reached, None, TOO_FEW)
    return Detectable(errors + correct, reached, difference, "")
