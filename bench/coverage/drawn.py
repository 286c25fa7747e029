"""Coverage of figures from labels that are drawn with probabilities, and their width against labels drawn at random.

An evaluator finds half of the errors of a pool of prompts. Four others say of each unit whether it is an error: good
ones find most errors, useless ones call errors and correct units alike, and alike ones mostly repeat the evaluator.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.coverage.coverage import Effort
from bench.coverage.verdicts import evaluators_of
from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import CONFIDENCE
from stats.detection import METRICS, Decisions
from stats.drawn_labels import (
    FOLDS,
    RATIOS,
    DrawnEstimate,
    LabelledPool,
    contributions,
    estimate,
    figure_of_totals,
    interval_of_sums,
    slopes_of,
)
from stats.label_sampling import (
    inclusion_probabilities,
    is_drawn,
    permanent_numbers,
    sampling_scores,
    scale_for,
    suspicion,
    unit_totals,
)

SEED = 20_264
POPULATION, POOL = 20_000, 300
SIZES = (20, 30, 60, 120)
FOUND = 0.5
# The share of errors that each of the others finds; None: it repeats the evaluator seven times in ten.
OTHERS = {"good": 0.85, "mediocre": 0.5, "useless": 0.1, "alike": None}
REPEATED = 0.7


@dataclass(frozen=True)
class JudgedPrompts:
    """Units of prompts: gold, the evaluator's decisions, the others' share of alarms, each unit's prompt."""

    error: Flags
    decisions: Decisions
    suspected: Floats
    prompt: Ints
    prompts: int

    def only(self, chosen: Ints) -> "JudgedPrompts":
        """Some of the prompts, each once."""
        place = np.full(self.prompts, -1)
        place[chosen] = np.arange(len(chosen))
        units = place[self.prompt] >= 0
        of_units = (self.error[units], self.decisions[units], self.suspected[units], place[self.prompt[units]])
        return JudgedPrompts(*of_units, len(chosen))

    def totals(self) -> Floats:
        return unit_totals(self.decisions, self.error.astype(np.float64), self.prompt, self.prompts)


def simulate_judged(others: float | None, seed: int = SEED, prompts: int = POPULATION) -> JudgedPrompts:
    generator = np.random.default_rng(seed)
    found = FOUND if others is None else others
    gold, (own, *rest), prompt = evaluators_of(generator, prompts, [FOUND, *[found] * 4])
    if others is None:
        rest = [np.where(generator.random(len(own)) < REPEATED, own, each) for each in rest]
    return JudgedPrompts(gold == 3, own, suspicion(rest), prompt, prompts)
