"""Coverage of figures from labels that are drawn with probabilities, and their width against labels drawn at random.

An evaluator finds half of the errors of a pool of prompts. Four others say of each unit whether it is an error: good
ones find most errors, useless ones call errors and correct units alike, and alike ones mostly repeat the evaluator.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bench.coverage.coverage import Effort
from bench.coverage.verdicts import evaluators_of
from stats.arrays import Flags, Floats, Ints
from stats.detection import ERROR, METRICS, ConfusionCounts, Decisions
from stats.drawn_labels import FEWEST_PROMPTS, FOLDS, RATIOS, LabelledPool, estimate, figure_of_totals, slopes_of
from stats.intervals import exact_ends
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
    return JudgedPrompts(gold == ERROR, own, suspicion(rest), prompt, prompts)


@dataclass(frozen=True)
class DrawnCoverage:
    """Shares of samples whose interval holds the figure of the population.

    held, given: of drawn labels, and the share of samples with an interval. width, random_width: its mean width, and
    that of as many labels in prompts drawn at random, without predictions. as_random: the share that holds it if drawn
    labels are taken for random ones.
    """

    others: str
    figure: str
    prompts: int
    labels: float
    held: float
    given: float
    width: float
    random_width: float
    as_random: float
    samples: int

    def __str__(self) -> str:
        error = np.sqrt(max(self.held * (1 - self.held), 0.001) / max(self.given * self.samples, 1))
        return (
            f"| {self.others} | {self.figure} | {self.prompts} | {self.labels:.0f} | {100 * self.held:.1f} ± "
            f"{100 * error:.1f} | {100 * self.given:.0f} % | {self.width:.2f} | {self.random_width:.2f} | "
            f"{100 * self.as_random:.0f} |"
        )


HEAD = (
    "| others | figure | prompts | labels | coverage % | given | width | width at random | taken for random % |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|"
)
# Of one sample the ends, None where they are withheld.
Ends = tuple[float, float] | None


@dataclass(frozen=True)
class DrawnSample:
    """The intervals of one sample; see DrawnCoverage. labels: how many units were labelled."""

    drawn: Ends
    random: Ends
    as_random: Ends
    labels: int


def draw_sample(judged: JudgedPrompts, figure: str, prompts: int, generator: np.random.Generator) -> DrawnSample:
    """A pool from the population, of which so many prompts are drawn on average, and as many labels at random."""
    pool = judged.only(generator.choice(judged.prompts, POOL, replace=False))
    expected = unit_totals(pool.decisions, pool.suspected, pool.prompt, POOL).sum(axis=0)
    slopes = slopes_of(figure, expected)
    assert slopes is not None
    scores = sampling_scores(slopes, pool.decisions, pool.suspected, pool.prompt, POOL)
    numbers = permanent_numbers(np.zeros(POOL, dtype=np.int64), int(generator.integers(2**32)))
    probability = inclusion_probabilities(scores, scale_for(scores, prompts))
    drawn = is_drawn(numbers, probability)
    units = np.bincount(pool.prompt, minlength=POOL)
    found = estimate(
        LabelledPool(
            pool.decisions,
            pool.suspected,
            pool.error & drawn[pool.prompt],
            np.ones(len(pool.error), dtype=np.bool_),
            pool.prompt,
            probability,
            drawn,
            np.zeros(POOL, dtype=np.bool_),
            generator.permutation(POOL) % FOLDS,
        ),
        figure,
    )
    as_many = round(prompts * float((probability * units).sum() / probability.sum() / units.mean()))
    totals = pool.totals()
    at_random = generator.choice(POOL, min(as_many, POOL), replace=False)
    return DrawnSample(
        None if found.interval is None else (found.interval.low, found.interval.high),
        random_ends(totals[at_random], figure),
        random_ends(totals[drawn], figure),
        int(units[drawn].sum()),
    )


def random_ends(totals: Floats, figure: str) -> Ends:
    """The interval of a random sample of prompts, from the totals (n, 4) of each."""
    slopes = slopes_of(figure, totals.sum(axis=0))
    clusters = int(METRICS[figure].clusters(ConfusionCounts(*totals.T)))
    if slopes is None or clusters < FEWEST_PROMPTS:
        return None
    variance = len(totals) * float((totals @ slopes).var(ddof=1))
    value = figure_of_totals(figure, totals.sum(axis=0))
    low, high = exact_ends(np.array([value]), np.array([variance]), np.array([clusters]))
    return float(low[0]), float(high[0])


def drawn_coverages(effort: Effort) -> Iterator[DrawnCoverage]:
    for others, found in OTHERS.items():
        judged = simulate_judged(found)
        for figure in RATIOS:
            truth = figure_of_totals(figure, judged.totals().sum(axis=0))
            for prompts in SIZES:
                yield drawn_coverage(judged, others, figure, prompts, truth, effort.samples // 2)


def drawn_coverage(
    judged: JudgedPrompts, others: str, figure: str, prompts: int, truth: float, samples: int
) -> DrawnCoverage:
    generator = np.random.default_rng(SEED)
    drawn = [draw_sample(judged, figure, prompts, generator) for _ in range(samples)]
    given = [each.drawn for each in drawn if each.drawn is not None]
    return DrawnCoverage(
        others,
        METRICS[figure].title,
        prompts,
        float(np.mean([each.labels for each in drawn])),
        _held(given, truth),
        len(given) / samples,
        _width(given),
        _width([each.random for each in drawn if each.random is not None]),
        _held([each.as_random for each in drawn if each.as_random is not None], truth),
        samples,
    )


def _held(ends: list[tuple[float, float]], truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in ends])) if ends else float("nan")


def _width(ends: list[tuple[float, float]]) -> float:
    return float(np.mean([high - low for low, high in ends])) if ends else float("nan")


def print_drawn(effort: Effort) -> None:
    print("\nCoverage of the 95 % intervals of figures from drawn labels\n\n" + HEAD)
    for each in drawn_coverages(effort):
        print(each, flush=True)
