"""Figures of an evaluator from a few labelled prompts, drawn with known probabilities, and predictions of all others.

Each prompt of the pool gives its predicted totals, and a drawn one the difference to its true totals over its
probability. Both together estimate the totals without bias, whatever the predictions are worth.

References
----------
Särndal, Swensson and Wretman (1992), Model assisted survey sampling, §6.3 (difference estimator) and §5.5 (Taylor
linearisation); Angelopoulos, Duchi and Zrnic (2023), PPI++; Zrnic and Candès (2024), Active statistical inference.
docs/statistics.md, Labels drawn with probabilities.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import Interval
from stats.detection import ERROR, METRICS, ConfusionCounts, Decisions, prompts_with
from stats.intervals import exact_ends
from stats.label_sampling import unit_totals

# Labelled prompts that have what the figure needs: below so many simulated intervals do not hold.
FEWEST_PROMPTS = 5
FOLDS = 5
# The weight of one unit for each coefficient of the calibration, on the suspicion as it is.
PRIOR_WEIGHT = 1.0
NEWTON_STEPS = 12

Ratio = tuple[Floats, Floats]


def _columns(*totals: int) -> Floats:
    return np.bincount(totals, minlength=4).astype(np.float64)


TP, FP, FN, TN = range(4)
# Each figure is the mean of ratios of totals: its numerators and denominators, as weights of the four totals.
RATIOS: Mapping[str, tuple[Ratio, ...]] = {
    "precision": ((_columns(TP), _columns(TP, FP)),),
    "recall": ((_columns(TP), _columns(TP, FN)),),
    "f1": ((_columns(TP, TP), _columns(TP, TP, FP, FN)),),
    "balanced_accuracy": ((_columns(TP), _columns(TP, FN)), (_columns(TN), _columns(TN, FP))),
}


@dataclass(frozen=True)
class LabelledPool:
    """A pool of N prompts with U units that an evaluator judged, some of them labelled.

    Attributes
    ----------
    decisions : (U,) int8
        Of the evaluator.
    suspected : (U,)
        Share of the other evaluators that call a unit an error, above 0 and below 1.
    error : (U,) bool
        Gold says so; False without gold.
    counted : (U,) bool
        Gold does not leave the unit out; True without gold.
    prompt : (U,) int
        Number of each unit's prompt.
    probability : (N,)
        That of drawing the prompt; 1 where all such prompts were labelled beforehand.
    labelled : (N,) bool
        All of the prompt's units have gold, and it was drawn or labelled beforehand.
    beforehand : (N,) bool
        Labelled before anything was drawn.
    fold : (N,) int
        Number of each prompt's fold below FOLDS, at random.
    """

    decisions: Decisions
    suspected: Floats
    error: Flags
    counted: Flags
    prompt: Ints
    probability: Floats
    labelled: Flags
    beforehand: Flags
    fold: Ints

    @property
    def weights(self) -> Floats:
        """1 over the probability for labelled prompts, 0 for others: (N,)."""
        return np.divide(1.0, self.probability, out=np.zeros(len(self.labelled)), where=self.labelled)

    def true_totals(self) -> Floats:
        """Totals (N, 4) of labelled prompts; 0 for others."""
        units = self.counted & self.labelled[self.prompt]
        error = self.error[units].astype(np.float64)
        return unit_totals(self.decisions[units], error, self.prompt[units], len(self.labelled))

    def predicted_totals(self) -> Floats:
        """Expected totals of each prompt, by the probabilities that each fold gives to units: (FOLDS, N, 4)."""
        prompts = len(self.labelled)
        return np.stack([unit_totals(self.decisions, each, self.prompt, prompts) for each in calibrated(self)])

    def own(self, by_fold: Floats) -> Floats:
        """What each prompt's own fold gives it, (N, …), of values (FOLDS, N, …)."""
        return by_fold[self.fold, np.arange(len(self.fold))]


def calibrated(pool: LabelledPool) -> Floats:
    """The probability that a unit is an error (FOLDS, U), from what the evaluator and the others say.

    For each fold a logistic regression on the labelled prompts of the other folds: a prompt's labels have no part in
    what its own fold predicts.
    """
    suspicion = np.log(pool.suspected / (1 - pool.suspected))
    features = np.stack([np.ones(len(suspicion)), pool.decisions == ERROR, suspicion], axis=1)
    weights, fold = pool.weights[pool.prompt], pool.fold[pool.prompt]
    coefficients = []
    for number in range(FOLDS):
        others = (weights > 0) & pool.counted & (fold != number)
        coefficients.append(_logistic(features[others], pool.error[others], weights[others]))
    return _logit_to_share(np.array(coefficients) @ features.T)


def _logistic(features: Floats, error: Flags, weights: Floats) -> Floats:
    """Coefficients with a normal prior around those of the suspicion itself, by Newton's method."""
    prior = np.array([0.0, 0.0, 1.0])
    if not len(features):
        return prior
    weights = weights / weights.mean()
    coefficients = prior
    for _ in range(NEWTON_STEPS):
        expected = _logit_to_share(features @ coefficients)
        slope = features.T @ (weights * (error - expected)) - PRIOR_WEIGHT * (coefficients - prior)
        curvature = (features.T * (weights * expected * (1 - expected))) @ features + PRIOR_WEIGHT * np.eye(3)
        coefficients = coefficients + np.linalg.solve(curvature, slope)
    return coefficients


def _logit_to_share(logit: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -30, 30))))


def slopes_of(figure: str, totals: Floats) -> Floats | None:
    """The change of a figure (RATIOS) with each of the four totals (4,); None where it is undefined."""
    ratios = RATIOS[figure]
    if any(totals @ below <= 0 for _, below in ratios):
        return None
    parts = [(above - (totals @ above) / (totals @ below) * below) / (totals @ below) for above, below in ratios]
    return np.asarray(np.mean(parts, axis=0))


def power_weights(pool: LabelledPool, change: Floats, predicted: Floats) -> Floats:
    """λ of each prompt (N,), clipped to [0, 1], from the labelled prompts of other folds.

    It makes the variance of Σ (change − λ predicted) / probability least.

    Parameters
    ----------
    pool : LabelledPool
    change : (N,)
        What a prompt adds to the figure by its labels, where it has some.
    predicted : (FOLDS, N)
        What it adds by the predictions of each fold.
    """
    others = pool.fold != np.arange(FOLDS)[:, None]
    spread = others * (1 - pool.probability) * pool.weights**2
    both, own = (spread * change * predicted).sum(axis=1), (spread * predicted**2).sum(axis=1)
    shares = np.divide(both, own, out=np.zeros(FOLDS), where=own > 0)
    return np.asarray(np.clip(shares, 0.0, 1.0)[pool.fold])


@dataclass(frozen=True)
class DrawnEstimate:
    """A figure estimated from drawn labels.

    Attributes
    ----------
    value : float, or None
        None where it is undefined.
    interval : Interval, or None
    withheld : str
        Why there is no interval, "" where there is one.
    weight : float
        The mean λ of the prompts.
    variance : float
        Of the value, nan where that is undefined.
    residuals : (N,)
        What the labels of a labelled prompt add to the figure beyond its weighted predictions, times √(c / (c − 1)) of
        the c prompts that tell something; 0 for others.
    random_prompts : float, or None
        How many prompts of the pool give the same variance if they are drawn at random and nothing is predicted;
        prompts labelled beforehand are left out. None where there is no interval.
    """

    value: float | None
    interval: Interval | None
    withheld: str
    weight: float
    variance: float
    residuals: Floats
    random_prompts: float | None


def estimate(pool: LabelledPool, figure: str) -> DrawnEstimate:
    """A figure (RATIOS) of prompts like those of the pool, from their predicted and labelled totals.

    References
    ----------
    Särndal, Swensson and Wretman (1992), §5.5; Korn and Graubard (1998) for the interval. docs/statistics.md, Labels
    drawn with probabilities.
    """
    true, prompts = pool.true_totals(), _telling(pool, figure)
    pilot = slopes_of(figure, (pool.weights[:, None] * true).sum(axis=0))
    if pilot is None or not prompts[0]:
        return _undefined(pool, prompts)
    by_fold = pool.predicted_totals()
    weight, predicted = power_weights(pool, true @ pilot, by_fold @ pilot), pool.own(by_fold)
    added = contributions(pool, true, predicted, weight)
    totals = added.sum(axis=0)
    slopes = slopes_of(figure, totals)
    if slopes is None:
        return _undefined(pool, prompts)
    value = np.clip(figure_of_totals(figure, totals), 0.0, 1.0)
    withheld = _why_withheld(*prompts)
    spread = _spread(pool, (weight[:, None] * predicted) @ slopes, true @ slopes, prompts[0])
    return DrawnEstimate(
        value=float(value),
        interval=None if withheld else spread.interval(value),
        withheld=withheld,
        weight=float(weight.mean()),
        variance=spread.variance,
        residuals=spread.residuals,
        random_prompts=None if withheld else _random_prompts(pool, true @ slopes, spread.variance),
    )


@dataclass(frozen=True)
class DrawnVariance:
    """The variance of an estimate, its degrees of freedom, and the residuals (N,) of DrawnEstimate."""

    variance: float
    freedom: float
    residuals: Floats

    def interval(self, value: float) -> Interval:
        """That of a share with this variance (stats/intervals.py)."""
        clusters = np.array([max(int(self.freedom), 1) + 1])
        low, high = exact_ends(np.array([value]), np.array([self.variance]), clusters)
        return Interval(float(low[0]), float(high[0]), 0)


def _spread(pool: LabelledPool, predicted: Floats, change: Floats, prompts: int) -> DrawnVariance:
    """The variance of a sum of which each prompt adds a prediction (N,), and by its labels a change (N,).

    Each prompt is a draw from all that are like it, with its own chance of labels. The part of predictions rests on all
    prompts; the rest on those labelled ones that tell something. Degrees of freedom by Satterthwaite.
    """
    weights, count = pool.weights, len(change)
    plain = np.where(pool.labelled, change - predicted, 0.0)
    added = predicted + weights * plain
    scale = prompts / max(prompts - 1, 1)
    drawn = float((weights**2 * (1 - pool.probability) * plain**2).sum())
    variance = _variance(added) + (scale - 1) * drawn
    of_predictions = min(_variance(predicted), variance)
    of_labels = max(variance - of_predictions, scale * drawn)
    parts = of_labels**2 / max(prompts - 1, 1) + of_predictions**2 / max(count - 1, 1)
    freedom = variance**2 / parts if parts > 0 else prompts - 1
    return DrawnVariance(variance, float(min(max(freedom, prompts - 1), count - 1)), plain * scale**0.5)


def contributions(pool: LabelledPool, true: Floats, predicted: Floats, weight: Floats) -> Floats:
    """What each prompt adds to the estimated totals (N, 4).

    The totals are unbiased where neither λ nor the predictions of a prompt come from its own labels.

    Parameters
    ----------
    pool : LabelledPool
    true, predicted : (N, 4)
    weight : (N,)
        λ of each prompt.
    """
    weighted = weight[:, None] * predicted
    return np.asarray(weighted + pool.weights[:, None] * (true - weighted))


def figure_of_totals(figure: str, totals: Floats) -> float:
    """A figure (RATIOS) of the four totals, whose denominators are above 0."""
    return float(np.mean([(totals @ above) / (totals @ below) for above, below in RATIOS[figure]]))


def _variance(added: Floats) -> float:
    """The variance of a sum over N prompts, each a draw from all that are like them, with its own chance of labels."""
    return float(((added - added.mean()) ** 2).sum() * len(added) / (len(added) - 1)) if len(added) > 1 else 0.0


def _telling(pool: LabelledPool, figure: str) -> tuple[int, str]:
    """How many labelled prompts the figure rests on, and what they have (stats/detection.py)."""
    counts = ConfusionCounts(*pool.true_totals()[pool.labelled].T)
    return METRICS[figure].rests_on({what: int(number) for what, number in prompts_with(counts).items()})


def _why_withheld(prompts: int, what: str) -> str:
    if prompts >= FEWEST_PROMPTS:
        return ""
    return f"no interval: the labels hold {prompts} prompts with {what}, and below {FEWEST_PROMPTS} none holds"


def _undefined(pool: LabelledPool, prompts: tuple[int, str]) -> DrawnEstimate:
    nothing = np.zeros(len(pool.labelled))
    return DrawnEstimate(None, None, _why_withheld(*prompts), 0.0, float("nan"), nothing, None)


def _random_prompts(pool: LabelledPool, change: Floats, variance: float) -> float | None:
    """N · Σ change² / probability over the variance, both without prompts labelled beforehand."""
    squares, drawn = pool.weights * change**2, ~pool.beforehand
    spent = variance - float(squares[~drawn].sum())
    if spent <= 0:
        return None
    at_random = drawn.sum() * squares[drawn].sum() / spent
    return float(min(at_random, drawn.sum()))


def later_variance(pool: LabelledPool, found: DrawnEstimate, probability: Floats) -> float:
    """The variance that an estimate would have with higher probabilities (N,), as far as its labels tell."""
    weights = pool.weights
    return float(found.variance + (weights * found.residuals**2 * (1 / probability - 1 / pool.probability)).sum())
