"""How often verdicts are wrong: type I and familywise error of the tests, by simulation.

Evaluators and subjects that are all equal are compared over and over: whatever is called better is called so wrongly.
Segments and errors are like those of FELM (5.2 segments a prompt, 18 % errors with an intraclass correlation of 0.57);
evaluators find half of the errors, with an intraclass correlation of 0.5 over prompts. Beside each rate stands that of
the procedure without the adjustment, and the standard error of the simulation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bench.coverage.population import MEAN_UNITS, MOST_UNITS, OF_ERRORS, OF_RATERS, beta_rates
from stats.arrays import Ints
from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, Decisions
from stats.estimated_factscore import EstimatedResponses, describe_subjects
from stats.factscore_estimation import resampled_means
from stats.paired_tests import PairedDifference, PairFamily, compare_pairs, equal_accuracies, mcnemar
from stats.step_down import SIGNIFICANT

SEED = 20_262
SAMPLES, QUICK_SAMPLES = 400, 100
ERRORS, FOUND, FALSE_ALARMS = 0.18, 0.5, 0.1


@dataclass(frozen=True)
class ErrorRate:
    """The share of samples with a wrong verdict, by the adjusted procedure and by the plain one."""

    name: str
    adjusted: float
    plain: float
    plainly: str
    samples: int

    @property
    def error(self) -> float:
        """The standard error of the share by simulation."""
        return float(np.sqrt(max(self.adjusted * (1 - self.adjusted), 0.01) / self.samples))

    def __str__(self) -> str:
        return f"{self.name:62} {self.adjusted:6.3f} ± {self.error:.3f}   {self.plainly}: {self.plain:.3f}"


# Of one sample: whether the adjusted procedure and the plain one say something wrong.
Sample = Callable[[np.random.Generator], tuple[bool, bool]]


def rate_of(name: str, plainly: str, sample: Sample, samples: int) -> ErrorRate:
    generator = np.random.default_rng(SEED)
    wrong = np.array([sample(generator) for _ in range(samples)]).mean(axis=0)
    return ErrorRate(name, float(wrong[0]), float(wrong[1]), plainly, samples)


def evaluators_of(
    generator: np.random.Generator, prompts: int, found: Sequence[float], errors: float = ERRORS
) -> tuple[Decisions, list[Decisions], Ints]:
    """Gold, an evaluator for each share of errors found, and the prompt of each unit."""
    units = np.minimum(generator.geometric(1 / MEAN_UNITS, prompts), MOST_UNITS)
    cluster = np.repeat(np.arange(prompts), units)
    gold = np.where(
        generator.random(len(cluster)) < beta_rates(errors, OF_ERRORS, prompts, generator)[cluster], ERROR, CORRECT
    )
    decisions = []
    for share in found:
        alarm = np.where(
            gold == ERROR,
            beta_rates(share, OF_RATERS, prompts, generator)[cluster],
            beta_rates(FALSE_ALARMS, OF_RATERS, prompts, generator)[cluster],
        )
        said = np.where(generator.random(len(cluster)) < alarm, ERROR, CORRECT)
        decisions.append(said.astype(np.int8))
    return gold.astype(np.int8), decisions, cluster


def compare(
    generator: np.random.Generator, prompts: int, found: Sequence[float], *, leader: bool
) -> list[PairedDifference]:
    """The pairs of one sample; with a leader, the one with the highest F1 against the others."""
    gold, decisions, cluster = evaluators_of(generator, prompts, found)
    resampling = Resampling(np.zeros(prompts, dtype=np.int64), resamples=2)
    if not leader:
        return compare_pairs(gold, decisions, cluster, "f1", resampling)
    f1s = [
        2 * ((each == ERROR) & (gold == ERROR)).sum() / ((each == ERROR).sum() + (gold == ERROR).sum())
        for each in decisions
    ]
    best = int(np.argmax(f1s))
    pairs = [(min(best, each), max(best, each)) for each in range(len(found)) if each != best]
    compared = compare_pairs(gold, decisions, cluster, "f1", resampling, families=[PairFamily(pairs, best)])
    return [each for each in compared if best in each.places]


def wrongly_better(pairs: Sequence[PairedDifference], equal: int) -> tuple[bool, bool]:
    """Whether any pair among the first `equal` evaluators is called better: together, and each alone."""
    true = [each for each in pairs if max(each.places) < equal]
    return any(each.better is not None for each in true), any(
        each.p is not None and each.p < SIGNIFICANT for each in true
    )


def subjects(generator: np.random.Generator, count: int, prompts: int) -> tuple[bool, bool]:
    """Equal subject models that respond to two prompts of three: step-down, and the interval of each pair alone."""
    subject, prompt = (each.ravel() for each in np.meshgrid(np.arange(count), np.arange(prompts)))
    shared = generator.beta(2, 2, prompts)[prompt]
    supported = generator.binomial(20, 0.5 * shared + 0.5 * generator.beta(2, 2, len(subject)))
    responding = generator.random(len(subject)) < 2 / 3
    facts = np.full(len(subject), 20)
    names = [str(place) for place in range(count)]
    responses = EstimatedResponses(subject, prompt, responding, ~np.ones_like(responding), facts, facts, supported)
    resampling = Resampling(np.zeros(prompts, dtype=np.int64))
    rows = describe_subjects(responses, names, resampling)["subjects"]
    scores = responses.scores(None)
    drawn = resampled_means(scores, ~np.isnan(scores), subject, names, prompt, resampling)
    ends = [
        np.nanquantile(drawn[:, one] - drawn[:, other], [0.025, 0.975]) for one, other in combinations(range(count), 2)
    ]
    return any(row["ranks"] != [1, count] for row in rows), any(low > 0 or high < 0 for low, high in ends)


def accuracies(generator: np.random.Generator, subjects: int, prompts: int) -> tuple[bool, bool]:
    """Two evaluators of equal accuracy over responses of several subjects to the same prompts."""
    cluster = np.repeat(np.arange(prompts), subjects)
    right = [generator.random(len(cluster)) < beta_rates(0.7, OF_RATERS, prompts, generator)[cluster] for _ in range(2)]
    gold = np.full(len(cluster), ERROR, dtype=np.int8)
    decisions = [np.where(each, ERROR, CORRECT).astype(np.int8) for each in right]
    (tested,) = equal_accuracies(gold, decisions, cluster, SEED, [(0, 1)])
    alone = mcnemar(int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum()))
    return tested.p < SIGNIFICANT, alone < SIGNIFICANT


def error_rates(samples: int) -> Iterator[ErrorRate]:
    alone = "each pair alone"
    for prompts in (30, 183, 847):
        yield rate_of(
            f"two equal evaluators, {prompts} prompts", alone,
            lambda each, n=prompts: wrongly_better(compare(each, n, [FOUND] * 2, leader=False), 2), samples,
        )  # fmt: skip
    for prompts, count in ((30, 12), (183, 12), (183, 48)):
        yield rate_of(
            f"the highest of {count} equal evaluators, {prompts} prompts", alone,
            lambda each, n=prompts, k=count: wrongly_better(compare(each, n, [FOUND] * k, leader=True), k), samples,
        )  # fmt: skip
    yield rate_of(
        "every pair of 12 equal evaluators, 183 prompts", alone,
        lambda each: wrongly_better(compare(each, 183, [FOUND] * 12, leader=False), 12), samples,
    )  # fmt: skip
    yield rate_of(
        "the highest of 6 equal evaluators above 6 poor ones, 183 prompts", alone,
        lambda each: wrongly_better(compare(each, 183, [FOUND] * 6 + [0.2] * 6, leader=True), 6), samples,
    )  # fmt: skip
    for count, prompts in ((12, 30), (12, 183)):
        yield rate_of(
            f"ranks of {count} equal subject models, {prompts} prompts", alone,
            lambda each, k=count, n=prompts: subjects(each, k, n), samples,
        )  # fmt: skip
    for count in (1, 12):
        yield rate_of(
            f"equal accuracy, {count} response(s) to each of 183 prompts", "McNemar",
            lambda each, k=count: accuracies(each, k, 183), samples,
        )  # fmt: skip


def print_error_rates(samples: int) -> None:
    print("\nShare of samples of equal evaluators in which any is called better; at most 5 % are asked for\n")
    for each in error_rates(samples):
        print(each, flush=True)
