"""A population of prompts that samples are drawn from: units with errors, two evaluators, two annotators, facts.

Sizes and errors are like those of FELM: 5.2 segments a prompt, of one to forty, 18 % of them errors, with an intraclass
correlation of 0.57. Evaluators and annotators are right at rates that vary over prompts with an intraclass correlation
of 0.5.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stats.arrays import Floats, Ints

PROMPTS = 20_000
MOST_UNITS = 40
MEAN_UNITS = 5.2
FACTS = 25
OF_ERRORS, OF_RATERS = 0.57, 0.5


@dataclass(frozen=True)
class Scenario:
    """errors: share of units that are; found, kept: shares of errors called so, and of correct units called correct."""

    name: str
    errors: float
    found: float
    kept: float


SCENARIOS = (
    Scenario("a fair evaluator", 0.18, 0.5, 0.9),
    Scenario("a good evaluator", 0.18, 0.8, 0.97),
    Scenario("rare errors", 0.05, 0.5, 0.9),
)


@dataclass(frozen=True)
class Population:
    """Counts of P prompts.

    Attributes
    ----------
    evaluators : two of (P, 4)
        True positives, false positives, false negatives, true negatives.
    annotators : (P, 4)
        Units that both call an error, only the one, only the other, neither.
    scores : (P, 3)
        FActScore of the response, the score as estimated, and 1; zeros where it abstains.
    """

    evaluators: tuple[Ints, Ints]
    annotators: Ints
    scores: Floats


def simulate(scenario: Scenario, seed: int, labels: Path | None = None) -> Population:
    """The population of a scenario; with a file of labels the units and their errors are those of its lines."""
    generator = np.random.default_rng(seed)
    errors, units = _simulated_units(scenario, generator) if labels is None else _read_units(labels)
    rates = (scenario.found, scenario.kept), (min(scenario.found + 0.1, 0.99), scenario.kept - 0.05)
    one, other = (_judge(errors, units - errors, *each, generator) for each in rates)
    return Population(
        (one, other), _annotate(errors, units - errors, scenario, generator), _score(len(units), generator)
    )


def _simulated_units(scenario: Scenario, generator: np.random.Generator) -> tuple[Ints, Ints]:
    units = np.minimum(generator.geometric(1 / MEAN_UNITS, PROMPTS), MOST_UNITS)
    return generator.binomial(units, beta_rates(scenario.errors, OF_ERRORS, PROMPTS, generator)), units


def _read_units(labels: Path) -> tuple[Ints, Ints]:
    with labels.open(encoding="utf-8") as file:
        lines = [json.loads(line)["labels"] for line in file]
    return np.array([sum(not each for each in line) for line in lines]), np.array([len(line) for line in lines])


def beta_rates(mean: float, correlation: float, prompts: int, generator: np.random.Generator) -> Floats:
    """Rates that vary over prompts by a beta distribution with this intraclass correlation."""
    spread = 1 / correlation - 1
    return generator.beta(mean * spread, (1 - mean) * spread, prompts)


def _judge(errors: Ints, correct: Ints, found: float, kept: float, generator: np.random.Generator) -> Ints:
    tp = generator.binomial(errors, beta_rates(found, OF_RATERS, len(errors), generator))
    tn = generator.binomial(correct, beta_rates(kept, OF_RATERS, len(errors), generator))
    return np.stack([tp, correct - tn, errors - tp, tn], axis=1)


def _annotate(errors: Ints, correct: Ints, scenario: Scenario, generator: np.random.Generator) -> Ints:
    """Each annotator finds an error, and takes a correct unit for one, independently of the other given the prompt."""
    cells = np.zeros((len(errors), 4), dtype=np.int64)
    for units, rate in ((errors, scenario.found), (correct, 1 - scenario.kept)):
        one, other = (beta_rates(rate, OF_RATERS, len(errors), generator) for _ in range(2))
        chances = np.stack([one * other, one * (1 - other), (1 - one) * other, (1 - one) * (1 - other)], axis=1)
        cells += generator.multinomial(units, chances)
    return cells


def _score(prompts: int, generator: np.random.Generator) -> Floats:
    """Responses of 25 facts; a tenth abstains. The estimate is wrong on a tenth of the facts, to either side."""
    true = generator.binomial(FACTS, beta_rates(0.6, 0.2, prompts, generator)) / FACTS
    estimated = np.clip(true + generator.normal(0.03, 0.1, prompts), 0, 1)
    answered = (generator.random(prompts) < 0.9).astype(np.float64)
    return np.stack([true * answered, estimated * answered, answered], axis=1)


def sampled(prompts: int, of: int, samples: int, seed: int, at_once: int = 100) -> Iterator[Ints]:
    """Samples of prompts with replacement, in blocks (prompts, some samples) of numbers below `of`."""
    generator = np.random.default_rng(seed)
    for start in range(0, samples, at_once):
        yield generator.integers(0, of, (prompts, min(at_once, samples - start)))
