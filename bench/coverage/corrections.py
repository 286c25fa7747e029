"""Coverage of the intervals of corrected figures, each over a simulated world whose truth is known."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.coverage.coverage import Effort
from stats.arrays import Flags, Floats
from stats.bootstrap import Resampling
from stats.calibration import reliability
from stats.corrected_factscore import describe_corrections
from stats.curves import ScoredUnits
from stats.dawid_skene import f1_of_uncertain, uncertain_gold
from stats.detection import CORRECT, ERROR, Decisions
from stats.factscore_estimation import EstimatedScores, describe_estimation, judged_shares, resampled_means
from stats.intervals import effective_interval
from stats.left_out import PeoplesLabels
from stats.prediction_powered import prediction_powered

SEED = 20_263
# Of one sample: the ends of an interval, None where it is withheld; those of a simpler one, None where none stands
# beside it; and the truth.
Ends = tuple[float, float]
Sample = Callable[[np.random.Generator, int], tuple[Ends | None, Ends | None, float]]


@dataclass(frozen=True)
class CorrectionCoverage:
    """Shares of samples whose interval holds the truth, and the simpler one's; given: samples with an interval."""

    name: str
    held: float
    simpler: float
    simply: str
    given: int

    def __str__(self) -> str:
        error = np.sqrt(max(self.held * (1 - self.held), 0.001) / max(self.given, 1))
        beside = f"   {self.simply}: {100 * self.simpler:.1f} %" if self.simply else ""
        return f"{self.name:58} {100 * self.held:5.1f} ± {100 * error:.1f} %{beside}"


def _coverage(name: str, simply: str, sample: Sample, effort: Effort) -> CorrectionCoverage:
    generator = np.random.default_rng(SEED)
    drawn = [sample(generator, effort.resamples) for _ in range(effort.samples)]
    held = [ends[0] <= truth <= ends[1] for ends, _, truth in drawn if ends is not None]
    simpler = [ends[0] <= truth <= ends[1] for _, ends, truth in drawn if ends is not None]
    return CorrectionCoverage(name, _share(held), _share(simpler), simply, len(held))


def _share(held: Sequence[bool]) -> float:
    return float(np.mean(held)) if held else float("nan")


def spread_scores(generator: np.random.Generator) -> tuple[Floats, Floats, float]:
    """Scores by gold and as estimated, of 200 responses, and the mean of all there could be."""
    gold = generator.beta(4, 6, 200)
    return gold, np.clip(0.7 * gold + generator.normal(0.2, 0.15, 200), 0, 1), 0.4


def extreme_scores(generator: np.random.Generator) -> tuple[Floats, Floats, float]:
    """Responses right or wrong throughout."""
    gold = (generator.random(200) < 0.3).astype(np.float64)
    return gold, gold * 0.6 + generator.random(200) * 0.4, 0.3


def high_scores(generator: np.random.Generator) -> tuple[Floats, Floats, float]:
    """Most responses all but perfect."""
    gold = generator.beta(4, 0.5, 200)
    return gold, np.clip(gold * generator.beta(8, 1, 200), 0, 1), 4 / 4.5


def _powered(world: Callable[[np.random.Generator], tuple[Floats, Floats, float]], labelled: int) -> Sample:
    """Beside it: λ fitted to the same labels, not clipped, and the normal quantile."""

    def sample(generator: np.random.Generator, resamples: int) -> tuple[Ends | None, Ends | None, float]:
        gold, estimated, truth = world(generator)
        f, g, others = gold[:labelled], estimated[:labelled], estimated[labelled:]
        found = prediction_powered(f, g, others)
        spread = estimated.var(ddof=1)
        weight = np.cov(f, g)[0, 1] / ((1 + labelled / len(others)) * spread)
        rest = f - weight * g
        score = weight * others.mean() + rest.mean()
        reach = 1.96 * np.sqrt(weight**2 * spread / len(others) + rest.var(ddof=1) / labelled)
        ends = found.ends() if found else None
        return ((ends[0], ends[1]) if ends else None), (score - reach, score + reach), truth

    return sample


def _calibration(prompts: int, off: float) -> Sample:
    """Five scores a prompt, too high by `off`, with luck that half of a prompt's units share."""
    many = np.random.default_rng(0).beta(2, 1, 1_000_000)
    truth = float(np.minimum(many, off).mean())

    def sample(generator: np.random.Generator, resamples: int) -> tuple[Ends | None, Ends | None, float]:
        score = generator.beta(2, 1, (prompts, 5))
        of_prompt, own = generator.random((prompts, 1)), generator.random((prompts, 5))
        luck = np.where(generator.random((prompts, 5)) < 0.5, of_prompt, own)
        error: Flags = (luck >= np.clip(score - off, 0, 1)).ravel()
        units = ScoredUnits(error, score.ravel() <= 0.5, score.ravel(), np.repeat(np.arange(prompts), 5))
        resampling = Resampling(np.zeros(prompts, dtype=np.int64), resamples=resamples)
        found = reliability(units, resampling)
        return (None if found.interval is None else (found.interval.low, found.interval.high)), None, truth

    return sample


def _rogan_gladen(differing: float) -> Sample:
    """60 prompts, one subject labelled, and a second of whom the evaluator's specificity is lower by so much."""

    def sample(generator: np.random.Generator, resamples: int) -> tuple[Ends | None, Ends | None, float]:
        prompts, facts = 60, 12
        rates = generator.beta([[6], [4]], [[4], [6]], size=(2, prompts))
        gold = generator.random((2, prompts, facts)) < rates[:, :, None]
        specificity = np.array([0.75, 0.75 - differing])[:, None, None]
        called = np.where(gold, generator.random(gold.shape) < 0.85, generator.random(gold.shape) > specificity)
        flat = np.repeat(np.arange(2 * prompts), facts)
        known = np.ones(flat.size, dtype=np.bool_)
        shares = judged_shares(flat, 2 * prompts, flat < prompts, gold.ravel(), known, called.ravel())
        subject, prompt = np.divmod(np.arange(2 * prompts), prompts)
        resampling = Resampling(np.zeros(prompts, dtype=np.int64), resamples=resamples)
        row = describe_corrections(shares, subject, ["one", "other"], prompt, resampling)["subjects"][1]
        low, high = row["rogan_gladen_interval"] or (np.nan, np.nan)
        return (None if np.isnan(low) else (low, high)), None, 0.4

    return sample


def _uncertain(units: int) -> Sample:
    """Three annotators who find 70 to 90 % of the errors. Beside it: percentiles of F1 against the majority."""

    def sample(generator: np.random.Generator, resamples: int) -> tuple[Ends | None, Ends | None, float]:
        truth = generator.random(units) < 0.3
        rates = ((0.9, 0.05), (0.7, 0.1), (0.8, 0.3), (0.8, 0.1))
        *labels, judge = (_said(generator, truth, *each) for each in rates)
        people = PeoplesLabels(np.array(labels), np.arange(units))
        resampling = Resampling(np.zeros(units, dtype=np.int64), resamples=resamples)
        (found,) = f1_of_uncertain(uncertain_gold(people), people, [judge], resampling)
        voted, called = (np.array(labels) == ERROR).sum(axis=0) >= 2, judge == ERROR
        columns = np.stack([voted & called, voted, called], axis=1).astype(np.float64)
        both, majority, calls = resampling.totals(columns).T
        low, high = np.quantile(2 * both / (majority + calls), [0.025, 0.975])
        return (None if found.interval is None else (found.interval.low, found.interval.high)), (low, high), 0.48 / 0.61

    return sample


def _said(generator: np.random.Generator, truth: Flags, found: float, alarms: float) -> Decisions:
    said = np.where(generator.random(len(truth)) < np.where(truth, found, alarms), ERROR, CORRECT)
    return said.astype(np.int8)


def _mean_error_rate(off: Sequence[float], prompts: int = 60) -> Sample:
    """Subjects whose estimates are off by so much on average. Beside it: the interval from resampled mean error
    rates."""

    def sample(generator: np.random.Generator, resamples: int) -> tuple[Ends | None, Ends | None, float]:
        shape = (prompts, len(off))
        gold = generator.uniform(0.3, 0.7, shape)
        noise = generator.uniform(-0.1, 0.1, (prompts, 1)) + generator.uniform(-0.1, 0.1, shape)
        estimated, undefined = gold + np.array(off) + noise, np.full(gold.size, np.nan)
        scores = EstimatedScores(gold.ravel(), estimated.ravel(), undefined, undefined)
        prompt, subject = np.divmod(np.arange(gold.size), len(off))
        names = [str(place) for place in range(len(off))]
        resampling = Resampling(np.zeros(prompts, dtype=np.int64), resamples=resamples)
        means = describe_estimation(scores, subject, names, prompt, resampling)["subjects_mean"]
        difference = (estimated - gold).ravel()
        drawn = resampled_means(difference, scores.counted, subject, names, prompt, resampling)
        simpler = effective_interval(means["error_rate"], np.abs(drawn).mean(axis=1), prompts)
        low, high = means["error_rate_interval"] or (np.nan, np.nan)
        return (low, high), None if simpler is None else (simpler.low, simpler.high), float(np.mean(np.abs(off)))

    return sample


def coverages(effort: Effort) -> Iterator[CorrectionCoverage]:
    worlds = (("spread", spread_scores), ("0 or 1", extreme_scores), ("nearly all perfect", high_scores))
    for name, world in worlds:
        for labelled in (10, 15, 30, 50):
            named = f"prediction-powered, scores {name}, {labelled} labels"
            yield _coverage(named, "normal, λ fitted to all", _powered(world, labelled), effort)
    for differing in (0.0, 0.05):
        named = f"Rogan–Gladen, specificity differs by {differing:.2f}"
        yield _coverage(named, "", _rogan_gladen(differing), effort)
    for prompts in (60, 300):
        for off in (0.0, 0.05, 0.15):
            named = f"calibration error, {prompts} prompts, scores off by {off:.2f}"
            yield _coverage(named, "", _calibration(prompts, off), effort)
    for units in (150, 300, 1_000):
        yield _coverage(f"F1, gold uncertain, {units} units", "against the majority", _uncertain(units), effort)
    for subjects in (2, 12):
        for off in (0.0, 0.02, 0.1):
            named = f"mean error rate, {subjects} subjects off by ±{off:.2f}"
            yield _coverage(named, "from resampled means", _mean_error_rate([off, -off] * (subjects // 2)), effort)


def print_corrections(effort: Effort) -> None:
    print("\nCoverage of the 95 % intervals of corrected figures, the simpler interval beside it\n")
    for each in coverages(effort):
        print(each, flush=True)
