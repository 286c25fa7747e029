"""How often promises are broken: thresholds that keep a rate, intervals of a growing board, and sets of ranks.

Thresholds: units of simulated prompts with scores. A promise is broken where the threshold that qualifies has a rate
above the stated one in the population. Growing boards: two evaluators are compared after each prompt, and the interval
is broken where it leaves out the difference of the population at any time. Ranks: a set is broken where it leaves out
the rank of any evaluator.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, ndtr

from bench.coverage.population import MEAN_UNITS, MOST_UNITS, OF_ERRORS, OF_RATERS, beta_rates
from bench.coverage.verdicts import compare, evaluators_of
from stats.anytime import accuracy_differences, running_interval
from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import Resampling, cluster_sums
from stats.estimated_factscore import EstimatedResponses, describe_subjects
from stats.ranks import rank_ranges
from stats.risk_control import PromptLosses, control_risk, fixed_sequences, missed_errors

SEED = 20_264
SAMPLES, QUICK_SAMPLES = 1_000, 60
RANK_SAMPLES, QUICK_RANK_SAMPLES = 200, 20
PROBABILITY = 0.95
PROMPTS = 20_000
THRESHOLDS = np.arange(100, -1, -1) / 100
# Upper bounds are not printed here, so that few rates above the stated one are enough.
STEP = 0.1


@dataclass(frozen=True)
class ScoredPopulation:
    """errors: share of units; apart: standard deviations between the scores of errors and of correct units."""

    name: str
    errors: float
    apart: float


POPULATIONS = (
    ScoredPopulation("a fair evaluator", 0.18, 1.2),
    ScoredPopulation("a good evaluator", 0.18, 2.2),
    ScoredPopulation("rare errors", 0.05, 2.2),
)


@dataclass(frozen=True)
class PromiseRow:
    """Of samples of so many prompts: the share in which the promise is broken, that of the threshold that keeps the
    rate in the sample, the share in which a threshold qualifies, and the mean shares of units left to people by the
    threshold that qualifies (1 where none does), by that of Hoeffding and Bentkus's p, and by the best of the
    population."""

    name: str
    broken: float
    plainly: float
    qualified: float
    deferred: float
    simpler: float
    oracle: float
    samples: int

    def __str__(self) -> str:
        error = np.sqrt(max(self.broken * (1 - self.broken), 0.01) / self.samples)
        return (
            f"{self.name:62} {self.broken:6.3f} ± {error:.3f}   in the sample alone: {self.plainly:.3f}   "
            f"qualifies {self.qualified:.2f}   left {self.deferred:.2f}, Hoeffding–Bentkus {self.simpler:.2f}, "
            f"best {self.oracle:.2f}"
        )


@dataclass(frozen=True)
class HeldRow:
    """The share of samples that break the promise, and that of a plain procedure, nan where none stands beside."""

    name: str
    broken: float
    plain: float
    plainly: str
    samples: int
    more: str = ""

    def __str__(self) -> str:
        error = np.sqrt(max(self.broken * (1 - self.broken), 0.01) / self.samples)
        plain = f"{self.plainly}: {self.plain:.3f}   " if self.plainly else ""
        return f"{self.name:62} {self.broken:6.3f} ± {error:.3f}   {plain}{self.more}"


def scored_losses(population: ScoredPopulation, *, among_passed: bool, most: int | None) -> tuple[PromptLosses, Floats]:
    """The losses of 20,000 prompts at each threshold, and their units and those left to people: (P, 1 + S)."""
    generator = np.random.default_rng(SEED)
    units = np.minimum(generator.geometric(1 / MEAN_UNITS, PROMPTS), MOST_UNITS)
    cluster = np.repeat(np.arange(PROMPTS), units)
    error = generator.random(len(cluster)) < beta_rates(population.errors, OF_ERRORS, PROMPTS, generator)[cluster]
    shared, own = generator.normal(size=PROMPTS)[cluster], generator.normal(size=len(cluster))
    score = ndtr(np.sqrt(OF_RATERS) * shared + np.sqrt(1 - OF_RATERS) * own + population.apart * (0.5 - error))
    passed = score[:, None] > THRESHOLDS
    left = cluster_sums(cluster, np.concatenate([np.ones((len(cluster), 1)), ~passed], axis=1), PROMPTS)
    return missed_errors(cluster, error, passed, among_passed=among_passed, most=most), left


def promise(
    population: ScoredPopulation,
    prompts: int,
    rate: float,
    samples: int,
    *,
    among_passed: bool = False,
    most: int | None = None,
) -> PromiseRow:
    losses, left = scored_losses(population, among_passed=among_passed, most=most)
    rates = np.nan_to_num(losses.rates)
    shares = left[:, 1:].sum(axis=0) / left[:, 0].sum()
    starts = [len(THRESHOLDS) * place // 5 for place in range(5)] if among_passed else [0]
    best = np.flatnonzero(rates <= rate).max()
    generator = np.random.default_rng(SEED + 1)
    found = np.array(
        [_chosen(losses, generator.integers(0, PROMPTS, prompts), rate, starts, seed) for seed in range(samples)]
    )
    broken = (found >= 0) & (rates[found] > rate)
    deferred = np.where(found >= 0, shares[found], 1.0).mean(axis=0)
    of = f"of {'what is passed' if among_passed else 'the errors'}{'' if most is None else f', M = {most}'}"
    return PromiseRow(
        f"{population.name}, {prompts} prompts: {rate:.0%} {of}",
        *(float(each) for each in broken.mean(axis=0)[[0, 2]]),
        float((found[:, 0] >= 0).mean()),
        *(float(each) for each in deferred[:2]),
        float(shares[best]),
        samples,
    )


def _chosen(losses: PromptLosses, rows: Ints, rate: float, starts: Sequence[int], seed: int) -> list[int]:
    """The settings chosen by bets, by Hoeffding and Bentkus, and by the rate in the sample; −1: none."""
    sample = PromptLosses(losses.lost[rows], losses.out_of[rows], losses.most)
    tested = control_risk(sample, rate, PROBABILITY, starts=starts, seed=seed, step=STEP)
    simpler = fixed_sequences(hoeffding_bentkus(sample, rate) <= (1 - PROBABILITY) / len(starts), starts)[1]
    within = np.nan_to_num(sample.rates) <= rate
    return [int(np.flatnonzero(each)[-1]) if each.any() else -1 for each in (tested.qualified, simpler, within)]


def hoeffding_bentkus(losses: PromptLosses, rate: float) -> Floats:
    """p of each setting by the bound of Bates et al. (2021), over the prompts with something to lose."""
    values = (losses.lost - rate * losses.out_of) / losses.most + rate  # from 0 to 1; with a mean of `rate` or above
    count = (losses.out_of > 0).sum(axis=0)
    mean = np.where(losses.out_of > 0, values, 0).sum(axis=0) / np.maximum(count, 1)
    low = np.clip(mean, 1e-12, rate)
    divergence = low * np.log(low / rate) + (1 - low) * np.log((1 - low) / (1 - rate))
    return np.minimum(np.exp(-count * divergence), np.e * bdtr(np.ceil(count * mean - 1e-9), count, rate))


def growing(found: Sequence[float], prompts: int, samples: int) -> HeldRow:
    """Evaluators that find these shares of errors; plain: the interval of each time alone."""
    generator = np.random.default_rng(SEED + 2)
    differences = _accuracy_differences(generator, PROMPTS, found)
    truth = float(differences.mean())
    broken, plain, first = [], [], []
    for _ in range(samples):
        sample = differences[generator.integers(0, PROMPTS, prompts)]
        run = running_interval(sample)
        broken.append(bool(((run.low > truth) | (run.high < truth)).any()))
        plain.append(bool((np.abs(run.mean - truth) > 1.96 * _errors(sample))[19:].any()))
        first.append(run.excluded)
    seen = [each for each in first if each is not None]
    more = f"told apart {len(seen) / samples:.2f}" + (
        f", half of those by prompt {np.median(seen):.0f}" if seen else ""
    )
    name = f"accuracy {truth:+.3f}, after each of {prompts} prompts"
    return HeldRow(name, float(np.mean(broken)), float(np.mean(plain)), "each time alone", samples, more)


def _accuracy_differences(generator: np.random.Generator, prompts: int, found: Sequence[float]) -> Floats:
    gold, (one, other), cluster = evaluators_of(generator, prompts, found)
    return accuracy_differences(cluster, one == gold, other == gold)


def _errors(values: Floats) -> Floats:
    """Standard errors of the running mean."""
    count = np.arange(1, len(values) + 1)
    mean = np.cumsum(values) / count
    return np.sqrt(np.maximum(np.cumsum(values**2) / count - mean**2, 1e-12) / count)


def ranks(found: Sequence[float], prompts: int, samples: int) -> HeldRow:
    """Sets of ranks of evaluators that find these shares of errors; plain: by each pair alone."""
    generator = np.random.default_rng(SEED + 3)
    shares = np.array(found)
    highest, lowest = 1 + (shares > shares[:, None]).sum(axis=1), (shares >= shares[:, None]).sum(axis=1)
    broken, plain, sizes = [], [], []
    for _ in range(samples):
        together, alone = np.zeros((2, len(found), len(found)), dtype=np.bool_)
        for pair in compare(generator, prompts, found, leader=False):
            one, other = pair.places if (pair.difference or 0) > 0 else pair.places[::-1]
            together[one, other] = pair.better is not None
            alone[one, other] = pair.p is not None and pair.p < 1 - PROBABILITY
        broken.append(_left_out(together, highest, lowest))
        plain.append(_left_out(alone, highest, lowest))
        sizes += [last - first + 1 for first, last in rank_ranges(together)]
    kinds = "equal evaluators" if len(set(found)) == 1 else f"evaluators of {len(set(found))} kinds"
    name = f"ranks of {len(found)} {kinds}, {prompts} prompts"
    more = f"mean size {np.mean(sizes):.1f}"
    return HeldRow(name, float(np.mean(broken)), float(np.mean(plain)), "each pair alone", samples, more)


def subject_ranks(kinds: Sequence[int], prompts: int, samples: int) -> HeldRow:
    """Sets of ranks of subject models of these kinds, the higher the better, that respond to two prompts of three."""
    generator = np.random.default_rng(SEED + 4)
    kind = np.array(kinds)
    highest, lowest = 1 + (kind > kind[:, None]).sum(axis=1), (kind >= kind[:, None]).sum(axis=1)
    broken, sizes = [], []
    for _ in range(samples):
        found = subject_sets(generator, kind, prompts)
        broken.append(bool(((found[:, 0] > highest) | (found[:, 1] < lowest)).any()))
        sizes.append(float(np.mean(found[:, 1] - found[:, 0] + 1)))
    of = "equal subject models" if len(set(kinds)) == 1 else f"subject models of {len(set(kinds))} kinds"
    name = f"ranks of {len(kinds)} {of}, {prompts} prompts"
    return HeldRow(name, float(np.mean(broken)), float("nan"), "", samples, f"mean size {np.mean(sizes):.1f}")


def subject_sets(generator: np.random.Generator, kind: Ints, prompts: int) -> Ints:
    """(subjects, 2): the set of ranks of each, of responses of twenty facts."""
    subject, prompt = (each.ravel() for each in np.meshgrid(np.arange(len(kind)), np.arange(prompts)))
    shared, own = generator.beta(2, 2, prompts)[prompt], generator.beta(2, 2, len(subject))
    supported = generator.binomial(20, np.clip(0.4 * shared + 0.4 * own + 0.06 * kind[subject], 0, 1))
    responding = generator.random(len(subject)) < 2 / 3
    facts = np.full(len(subject), 20)
    responses = EstimatedResponses(subject, prompt, responding, ~np.ones_like(responding), facts, facts, supported)
    names = [str(place) for place in range(len(kind))]
    rows = describe_subjects(responses, names, Resampling(np.zeros(prompts, dtype=np.int64)))["subjects"]
    return np.array([row["ranks"] for row in sorted(rows, key=lambda row: int(row["subject"]))])


def _left_out(better: Flags, highest: Floats, lowest: Floats) -> bool:
    """Whether any set leaves out a rank that the evaluator may have in the population: ties share their ranks."""
    ends = np.array(rank_ranges(better))
    return bool(((ends[:, 0] > highest) | (ends[:, 1] < lowest)).any())


def promises(samples: int, rank_samples: int) -> Iterator[PromiseRow | HeldRow]:
    for population in POPULATIONS:
        for prompts, rate in ((183, 0.2), (183, 0.1), (847, 0.1)):
            yield promise(population, prompts, rate, samples)
    for prompts in (183, 847):
        yield promise(POPULATIONS[1], prompts, 0.1, samples, among_passed=True)
        yield promise(POPULATIONS[1], prompts, 0.1, samples, most=10)
    for found in ((0.5, 0.5), (0.7, 0.5)):
        for prompts in (183, 847):
            yield growing(found, prompts, samples)
    for found in ([0.5] * 6, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [0.3] * 2 + [0.5] * 2 + [0.7] * 2):
        for prompts in (30, 183):
            yield ranks(found, prompts, rank_samples)
    for prompts in (30, 183):
        yield subject_ranks([0, 0, 1, 1, 2, 2], prompts, 5 * rank_samples)


def print_promises(samples: int, rank_samples: int) -> None:
    print("\nShare of samples in which a promise of 95 % is broken; at most 5 % are asked for\n")
    for each in promises(samples, rank_samples):
        print(each, flush=True)
