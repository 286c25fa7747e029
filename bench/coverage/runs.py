"""Repeated runs: coverage of the interval over prompts × runs, and type I error of the comparison, by simulation.

Prompts and evaluators are those of population.py. Each run answers anew: an answer is drawn from the prompt's rate
(interaction), and a whole run finds more or fewer errors than another (its shift on the logistic scale). The shift is
as large as makes the runs' main effect a given share of the variance of one run's F1 over samples of so many prompts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy
from scipy.special import expit, logit

from bench.coverage.coverage import Effort, Held, _ends, _held, _percent, _percentiles
from bench.coverage.population import (
    MEAN_UNITS,
    MOST_UNITS,
    OF_ERRORS,
    OF_RATERS,
    PROMPTS,
    SCENARIOS,
    Scenario,
    beta_rates,
    sampled,
)
from stats.arrays import Floats, Ints
from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, METRICS, Decisions
from stats.intervals import effective_intervals
from stats.paired_tests import compare_pairs
from stats.run_effects import run_part
from stats.step_down import SIGNIFICANT

SEED = 20_264
SAMPLES, QUICK_SAMPLES = 1_000, 50  # of two equal evaluators
RUNS, SHARES, SIZE = (1, 2, 3, 5, 10), (0.0, 0.1, 0.5), 100
# Runs that mostly say the same of a prompt, and runs whose answers are almost drawn anew.
ALIKE = (OF_RATERS, 0.02)
F1 = METRICS["f1"].compute_totals
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(31)


@dataclass(frozen=True)
class AskedPrompts:
    """Prompts and how an evaluator answers them.

    Attributes
    ----------
    errors, correct : (P,) int
        Units by their gold.
    found, alarms : (P,)
        Chance that an error, and that a correct unit, is called an error; `found` without a run's shift.
    """

    errors: Ints
    correct: Ints
    found: Floats
    alarms: Floats

    def totals(self, shift: float) -> Floats:
        """The expected counts (4,) of a run with this shift."""
        found = expit(logit(self.found) + shift)
        tp, fp = (self.errors * found).sum(), (self.correct * self.alarms).sum()
        return np.array([tp, fp, self.errors.sum() - tp, self.correct.sum() - fp])

    def spread(self, scale: float) -> tuple[float, float]:
        """F1 of ever more runs whose shifts have this standard deviation, and the variance between their F1."""
        totals, weights = np.array([self.totals(scale * node) for node in NODES]), WEIGHTS / WEIGHTS.sum()
        figures = F1(totals)
        return float(F1(weights @ totals)), float(weights @ (figures - weights @ figures) ** 2)

    def run(self, places: Ints, scale: float, generator: np.random.Generator) -> Floats:
        """Counts (n, S, 4) of a run over each of S samples of prompts (n, S)."""
        shift = scale * generator.standard_normal(places.shape[1])
        errors, correct = self.errors[places], self.correct[places]
        tp = generator.binomial(errors, expit(logit(self.found[places]) + shift))
        fp = generator.binomial(correct, self.alarms[places])
        return np.stack([tp, fp, errors - tp, correct - fp], axis=-1).astype(np.float64)


def asked_prompts(
    scenario: Scenario, prompts: int, generator: np.random.Generator, alike: float = OF_RATERS
) -> AskedPrompts:
    """alike: the intraclass correlation of the answers within a prompt, which all runs share."""
    units = np.minimum(generator.geometric(1 / MEAN_UNITS, prompts), MOST_UNITS)
    errors = generator.binomial(units, beta_rates(scenario.errors, OF_ERRORS, prompts, generator))
    found, alarms = (beta_rates(rate, alike, prompts, generator) for rate in (scenario.found, 1 - scenario.kept))
    return AskedPrompts(errors, units - errors, np.clip(found, 1e-9, 1 - 1e-9), alarms)


def scale_of(population: AskedPrompts, share: float, size: int) -> float:
    """The standard deviation of the shifts that makes them this share of the variance of one run's F1."""
    if not share:
        return 0.0
    generator = np.random.default_rng(SEED)
    places = generator.integers(0, len(population.errors), (size, 1_000))
    wanted = float(np.nanvar(F1(population.run(places, 0.0, generator).sum(axis=0)))) * share / (1 - share)
    return float(scipy.optimize.brentq(lambda scale: population.spread(scale)[1] - wanted, 1e-6, 10.0, xtol=1e-4))


@dataclass(frozen=True)
class RunsCovered:
    """Intervals of so many runs' F1: over prompts × runs, over prompts alone, and between the quantiles of resamples
    that draw prompts and runs. share: that of the runs as wholes; alike: as in asked_prompts."""

    share: float
    alike: float
    runs: int
    both: Held
    prompts: Held
    quantiles: Held


def covered(share: float, runs: int, effort: Effort, alike: float = OF_RATERS, size: int = SIZE) -> RunsCovered:
    generator = np.random.default_rng([SEED, runs])
    population = asked_prompts(SCENARIOS[0], PROMPTS, generator, alike)
    scale = scale_of(population, share, size)
    resampling = Resampling(np.zeros(size, dtype=np.int64), resamples=effort.resamples)
    drawn_runs = generator.multinomial(runs, np.full(runs, 1 / runs), size=effort.resamples).astype(np.float64)
    values, both, alone, quantiles = [], [], [], []
    for places in sampled(size, PROMPTS, effort.samples, SEED + size):
        counts = np.stack([population.run(places, scale, generator) for _ in range(runs)])
        by_run = [resampling.totals(each.reshape(size, -1)).reshape(-1, *each.shape[1:]) for each in counts]
        drawn, figures = F1(np.sum(by_run, axis=0)), F1(counts.sum(axis=(0, 1)))
        prompts = (population.errors[places] > 0).sum(axis=0)
        part = run_part(counts, F1)
        values.append(figures)
        both.append(_ends(effective_intervals(figures, drawn, prompts, runs=part)))
        alone.append(_ends(effective_intervals(figures, drawn, prompts)))
        two_way = F1(np.einsum("rb,rbsk->bsk", drawn_runs.T, np.array(by_run)))
        quantiles.append(_percentiles(two_way, figures))
    truth, of_all = population.spread(scale)[0], np.concatenate(values)
    held = [_held(np.concatenate(each, axis=1), of_all, truth) for each in (both, alone, quantiles)]
    return RunsCovered(share, alike, runs, *held)


HEAD = (
    "| answers within a prompt alike | share of the runs | runs | prompts × runs | width ÷ oracle | prompts alone "
    "| quantiles of both drawn | width ÷ oracle |\n|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def line_of(row: RunsCovered) -> str:
    cells = (
        f"{row.alike}",
        f"{100 * row.share:.0f} %",
        f"{row.runs}",
        f"{_percent(row.both.share)} ± {_percent(row.both.error)}",
        f"{row.both.width:.2f}",
        _percent(row.prompts.share),
        _percent(row.quantiles.share),
        f"{row.quantiles.width:.2f}",
    )
    return f"| {' | '.join(cells)} |"


@dataclass(frozen=True)
class WronglyBetter:
    """The share of samples in which one of two equal evaluators of so many runs is called better.

    both: by permuted prompts with the part of the runs; prompts: by permuted prompts alone; sets: by permuted sets of
    runs, nan with one run each.
    """

    share: float
    runs: int
    both: float
    prompts: float
    sets: float
    samples: int


def wrongly_better(share: float, runs: int, samples: int, size: int = SIZE) -> WronglyBetter:
    """Both evaluators have the same rates on average, each its own on every prompt."""
    generator = np.random.default_rng([SEED, runs])
    scale = scale_of(asked_prompts(SCENARIOS[0], PROMPTS, generator), share, size)
    found = np.array([_decided(scale, runs, size, generator) for _ in range(samples)])
    both, prompts = (found[:, :2] < SIGNIFICANT).mean(axis=0)
    sets = float("nan") if runs == 1 else float((found[:, 2] < SIGNIFICANT).mean())
    return WronglyBetter(share, runs, float(both), float(prompts), sets, samples)


def _decided(scale: float, runs: int, size: int, generator: np.random.Generator) -> tuple[float, float, float]:
    """The three p of one sample."""
    one, other = (asked_prompts(SCENARIOS[0], size, generator) for _ in range(2))  # of the other, its rates count
    cluster = np.repeat(np.arange(size), one.errors + one.correct)
    gold = np.concatenate(
        [np.repeat([ERROR, CORRECT], each) for each in zip(one.errors, one.correct, strict=True)]
    ).astype(np.int8)
    answers = [_answers(gold, cluster, each, scale, runs, generator) for each in (one, other)]
    resampling = Resampling(np.zeros(size, dtype=np.int64), resamples=2)
    (compared,) = compare_pairs(gold, answers, cluster, "f1", resampling)
    # The runs of a prompt as one run that says as much: prompts alone, as with one run each.
    alone = _permuted_prompts(gold, answers, cluster, size)
    return compared.p or 1.0, alone, compared.runs.p if compared.runs else 1.0


def _answers(
    gold: Decisions, cluster: Ints, asked: AskedPrompts, scale: float, runs: int, generator: np.random.Generator
) -> Decisions:
    shifts = scale * generator.standard_normal((runs, 1))
    found = expit(logit(asked.found[cluster]) + shifts)
    chance = np.where(gold == ERROR, found, asked.alarms[cluster])
    answers: Decisions = np.where(generator.random((runs, len(gold))) < chance, ERROR, CORRECT).astype(np.int8)
    return answers if runs > 1 else answers[0]


def _permuted_prompts(gold: Decisions, answers: list[Decisions], cluster: Ints, size: int) -> float:
    """p over prompts: the units of all runs stand side by side, so that each evaluator has one run."""
    runs = len(np.atleast_2d(answers[0]))
    (compared,) = compare_pairs(
        np.tile(gold, runs),
        [each.ravel() for each in answers],
        np.tile(cluster, runs),
        "f1",
        Resampling(np.zeros(size, dtype=np.int64), resamples=2),
    )
    return compared.p or 1.0


def error_rates(samples: int) -> Iterator[WronglyBetter]:
    for share in (0.0, 0.5):
        for runs in RUNS:
            yield wrongly_better(share, runs, samples)


ERROR_HEAD = (
    "| share of the runs | runs of each | prompts and runs | prompts alone | sets of runs |\n|---:|---:|---:|---:|---:|"
)


def error_line(row: WronglyBetter) -> str:
    error = np.sqrt(max(row.both * (1 - row.both), 0.01) / row.samples)
    cells = (
        f"{100 * row.share:.0f} %",
        f"{row.runs}",
        f"{_percent(row.both)} ± {_percent(error)}",
        _percent(row.prompts),
        "–" if np.isnan(row.sets) else _percent(row.sets),
    )
    return f"| {' | '.join(cells)} |"


def print_runs(effort: Effort, samples: int) -> None:
    print(f"\nCoverage of the 95 % interval of F1 over repeated runs, {SIZE} prompts\n\n{HEAD}")
    for alike, share, runs in product(ALIKE, SHARES, RUNS):
        print(line_of(covered(share, runs, effort, alike)), flush=True)
    print(f"\nTwo equal evaluators, one called better, {SIZE} prompts; at most 5 % are asked for\n\n{ERROR_HEAD}")
    for row in error_rates(samples):
        print(error_line(row), flush=True)
