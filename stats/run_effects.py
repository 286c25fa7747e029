"""What repeated runs of one evaluator add to the variance of its figure.

Every run judges the same prompts, so counts stand in a table of prompts × runs. A figure of the runs together follows
from their counts added up. Its variance has three parts: prompts are a sample (prompt), a run as a whole is better or
worse than another (run), and an answer to one prompt differs from run to run (interaction). The bootstrap over prompts
of the added counts covers the first and the third; the second needs the variance between runs.

References
----------
Searle, Casella and McCulloch (1992), Variance components, chapter 4; Henderson (1953), Estimation of variance and
covariance components; Owen (2007), The pigeonhole bootstrap; Satterthwaite (1946), An approximate distribution of
estimates of variance components. docs/statistics.md, Repeated runs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from stats.arrays import Floats, Ints
from stats.bootstrap import ROUNDING

# Step of the numerical derivative, as a share of all counts.
STEP = 1e-5
# All ways of parting the runs of two evaluators are tried up to so many, else so many are drawn.
MOST_PARTITIONS = 20_000

# A figure (…) of totals (…, K).
Compute = Callable[[Floats], Floats]


@dataclass(frozen=True)
class RunPart:
    """What runs as wholes add to the variance of M figures of several runs together.

    Attributes
    ----------
    variance : (M,)
        0 with one run, where it is not known.
    spread : (M,)
        The square of the mean square that it comes from, over its degrees of freedom.
    """

    variance: Floats
    spread: Floats

    def at(self, places: Ints) -> "RunPart":
        return RunPart(self.variance[places], self.spread[places])

    def __add__(self, other: "RunPart") -> "RunPart":
        """The part of a difference of two figures of different runs."""
        return RunPart(self.variance + other.variance, self.spread + other.spread)

    def freedom_beside(self, variance: Floats, freedom: Floats) -> Floats:
        """The degrees of freedom (M,) of this variance and an independent one (M,) together, by Satterthwaite."""
        spread = self.spread + variance**2 / freedom
        known = np.broadcast_to(freedom, spread.shape).astype(np.float64)
        return np.divide((self.variance + variance) ** 2, spread, out=known, where=self.spread > 0)


def no_part(figures: int) -> RunPart:
    """Of figures of one run each."""
    return RunPart(np.zeros(figures), np.zeros(figures))


def join_parts(parts: Sequence[RunPart]) -> RunPart:
    """The parts one after another."""
    return RunPart(np.concatenate([each.variance for each in parts]), np.concatenate([each.spread for each in parts]))


def run_part(counts: Floats, compute: Compute) -> RunPart:
    """The part of whole runs in the variance of figures.

    Of the variance between runs, what answers that differ from prompt to prompt by chance would have them differ is
    taken off: the bootstrap over prompts covers it.

    Parameters
    ----------
    counts : (R, C, M, K)
        Counts of each run in each prompt.
    compute : function of (M, K) to (M,)

    Returns
    -------
    RunPart; of variance 0 with one run, where the difference is below 0, and where a figure is undefined.
    """
    runs, _, figures, _ = counts.shape
    if runs == 1:
        return no_part(figures)
    values = (counts * gradient(counts.sum(axis=1).mean(axis=0), compute)).sum(axis=3)
    of_runs = values.sum(axis=1)
    between = of_runs.var(axis=0, ddof=1)
    prompts = np.maximum(counts.any(axis=(0, 3)).sum(axis=0), 2)
    rest = ((values - values.mean(axis=0)) ** 2).sum(axis=(0, 1)) - between * (runs - 1) / prompts
    interaction = rest * prompts / ((prompts - 1) * (runs - 1))
    variance = np.nan_to_num(between - interaction) / runs
    known = variance > ROUNDING
    return RunPart(np.where(known, variance, 0.0), np.where(known, (between / runs) ** 2 / (runs - 1), 0.0))


def gradient(totals: Floats, compute: Compute) -> Floats:
    """The derivatives (M, K) of figures by their totals (M, K), by central differences."""
    step = STEP * np.maximum(totals.sum(axis=1), 1.0)
    slopes = np.empty_like(totals)
    for column in range(totals.shape[1]):
        moved = np.zeros_like(totals)
        moved[:, column] = step
        slopes[:, column] = (compute(totals + moved) - compute(totals - moved)) / (2 * step)
    return slopes


@dataclass(frozen=True)
class VarianceComponents:
    """The variance of one run's figure in its three parts.

    Attributes
    ----------
    prompt, run, interaction : float
        0 or more.
    set_to_zero : names of those whose estimate was below 0
    """

    prompt: float
    run: float
    interaction: float
    set_to_zero: tuple[str, ...]

    @property
    def whole(self) -> float:
        return self.prompt + self.run + self.interaction

    def of_runs(self, runs: float) -> float:
        """The variance of the figure of so many runs together; inf for what is left with ever more."""
        return self.prompt + (self.run + self.interaction) / runs

    def shares(self) -> dict[str, float] | None:
        """Each part's share of one run's variance, by name; None where there is no variance."""
        if not self.whole > 0:
            return None
        parts = {"prompt": self.prompt, "run": self.run, "interaction": self.interaction}
        return {name: part / self.whole for name, part in parts.items()}


def variance_components(values: Floats) -> VarianceComponents | None:
    """The parts of the variance by the analysis of variance of prompts × runs, both random, one value a cell.

    With the mean squares of prompts, runs and the rest of C prompts and R runs, whose values add up to the figure:

        interaction = C · MS_rest
        prompt = C · (MS_prompts − MS_rest) / R
        run = C · (MS_runs − MS_rest)

    Parameters
    ----------
    values : (C, R)
        The figure's linearised values: those of a run add up to its figure, but for a constant.

    Returns
    -------
    None below two prompts or two runs.

    References
    ----------
    Searle, Casella and McCulloch (1992), §4.
    """
    prompts, runs = values.shape
    if prompts < 2 or runs < 2:
        return None
    of_prompts, of_runs, whole = values.mean(axis=1), values.mean(axis=0), values.mean()
    rest = values - of_prompts[:, None] - of_runs + whole
    ms_rest = float((rest**2).sum()) / ((prompts - 1) * (runs - 1))
    estimates = {
        "prompt": prompts * (runs * float(of_prompts.var(ddof=1)) - ms_rest) / runs,
        "run": prompts * (prompts * float(of_runs.var(ddof=1)) - ms_rest),
        "interaction": prompts * ms_rest,
    }
    negative = tuple(name for name, estimate in estimates.items() if estimate < -ROUNDING)
    return VarianceComponents(
        **{name: max(0.0, estimate) for name, estimate in estimates.items()}, set_to_zero=negative
    )


@dataclass(frozen=True)
class RunSetTest:
    """Two-sided p of equal figures by permuting the runs of two evaluators; `floor`: the smallest possible p."""

    p: float
    floor: float


def permute_run_sets(one: Floats, other: Floats, compute: Compute, seed: int) -> RunSetTest | None:
    """Whether two evaluators' runs could have changed places, on these prompts.

    All ways of parting the runs into sets of these sizes count; where there are more than MOST_PARTITIONS, so many are
    drawn, and the parting as it is counts once more.

    Parameters
    ----------
    one, other : (R, K), (S, K)
        Counts of each run.
    compute : function of (…, K) to (…)
    seed : int

    Returns
    -------
    None with a single run on either side, and where the figure is undefined for one of the two.
    """
    if min(len(one), len(other)) < 2:
        return None
    runs, size = np.concatenate([one, other]), len(one)
    observed = compute(one.mean(axis=0)) - compute(other.mean(axis=0))
    if np.isnan(observed):
        return None
    ways = comb(len(runs), size)
    if ways <= MOST_PARTITIONS:
        chosen = np.array(list(combinations(range(len(runs)), size)))
    else:
        orders = np.random.default_rng(seed).permuted(np.tile(np.arange(len(runs)), (MOST_PARTITIONS, 1)), axis=1)
        chosen = np.concatenate([np.arange(size)[None], orders[:, :size]])
    sums = runs[chosen].sum(axis=1)
    differences = compute(sums / size) - compute((runs.sum(axis=0) - sums) / len(other))
    # A parting without the figure counts as extreme: that can only make p larger.
    extreme = ~(np.abs(differences) < np.abs(observed) - ROUNDING)
    # Sets of one size may change places as a whole, which gives the same difference.
    return RunSetTest(float(extreme.mean()), (2 if len(one) == len(other) else 1) / len(chosen))
