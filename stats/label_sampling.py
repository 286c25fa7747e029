"""Which prompts to label next: each is drawn with a known probability that grows with what its labels would tell.

A prompt has a permanent random number and a score, both fixed before the first draw. It is drawn once
min(1, scale · score) reaches its number. Later rounds raise the scale only, so that the probability of every prompt is
known, whatever the labels of earlier rounds were.

References
----------
Särndal, Swensson and Wretman (1992), Model assisted survey sampling, §3.5 (Poisson sampling) and §12.2; Brewer, Early
and Hanif (1984), Poisson, modified Poisson and collocated sampling; Ohlsson (1995), Coordination of samples using
permanent random numbers. docs/statistics.md, Labels drawn with probabilities.
"""

from collections.abc import Sequence

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import cluster_sums
from stats.detection import CORRECT, ERROR, Decisions

# The least probability of a prompt over that of one with the mean score.
FLOOR = 0.5
# The intraclass correlation of units of a prompt that scores assume.
CORRELATION = 0.5


def unit_totals(decisions: Decisions, error: Floats, prompt: Ints, prompts: int) -> Floats:
    """True positives, false positives, false negatives, true negatives of each prompt: (N, 4).

    An undecided unit is a false negative where it is an error, and a false positive where it is not.

    Parameters
    ----------
    decisions : (U,) int8
        Of an evaluator.
    error : (U,)
        1 for an error and 0 for a correct unit, or the probability of an error.
    prompt : (U,) int
        Number of each unit's prompt.
    prompts : int
        How many prompts there are (N).
    """
    called, passed = decisions == ERROR, decisions == CORRECT
    cells = (called * error, ~passed * (1 - error), ~called * error, passed * (1 - error))
    return cluster_sums(prompt, np.stack(cells, axis=1), prompts)


def suspicion(others: Sequence[Decisions]) -> Floats:
    """The share of the other evaluators that call a unit an error, (U,), above 0 and below 1.

    It is smoothed by one more evaluator who calls units errors as often as all do together.

    Parameters
    ----------
    others : (U,) int8 for each of them, at least one
    """
    every = np.stack(others)
    called, decided = (every == ERROR).sum(axis=0), np.isin(every, (ERROR, CORRECT)).sum(axis=0)
    overall = (called.sum() + 0.5) / (decided.sum() + 1)
    shares: Floats = (called + overall) / (decided + 1)
    return shares


def sampling_scores(
    slopes: Floats, decisions: Decisions, suspected: Floats, prompt: Ints, prompts: int, floor: float = FLOOR
) -> Floats:
    """Scores of prompts (N,), of mean 1: what a prompt's labels would add to the variance, for each unit labelled.

    The labels of a unit that is an error with probability q vary by d²·q(1 − q), where d is the change of the figure
    between an error and a correct unit. Units of a prompt are correlated by CORRELATION. With v the variance of a
    prompt of m units, √(v / m) is the best score where each label costs the same.

    Parameters
    ----------
    slopes : (4,)
        Change of the figure with each of the totals of `unit_totals`.
    decisions : (U,) int8
        Of the evaluator.
    suspected : (U,)
        Probability that a unit is an error.
    prompt : (U,) int
    prompts : int
    floor : float
        From 0 to 1: the least score. The rest of a score is in proportion.
    """
    tp, fp, fn, tn = slopes
    called, passed = decisions == ERROR, decisions == CORRECT
    change = np.where(called, tp, fn) - np.where(passed, tn, fp)
    deviation = np.abs(change) * np.sqrt(suspected * (1 - suspected))
    columns = np.stack([deviation, deviation**2, np.ones(len(prompt))], axis=1)
    together, apart, units = cluster_sums(prompt, columns, prompts).T
    variance = CORRELATION * together**2 + (1 - CORRELATION) * apart
    scores = np.sqrt(variance / np.maximum(units, 1))
    mean = scores.mean()
    return floor + (1 - floor) * (scores / mean if mean > 0 else np.ones(prompts))


def permanent_numbers(strata: Ints, seed: int) -> Floats:
    """A random number (N,) of each prompt, above 0 and up to 1, which never changes.

    In a stratum they are a random start and equal steps from it in random order, so that a sample holds about the same
    share of each stratum. Each alone has a uniform distribution.

    Parameters
    ----------
    strata : (N,) int
    seed : int
    """
    generator = np.random.default_rng(seed)
    numbers = np.empty(len(strata))
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        numbers[members] = (generator.permutation(len(members)) + 1 - generator.random()) / len(members)
    return numbers


def inclusion_probabilities(scores: Floats, scale: float) -> Floats:
    """The probability (N,) of each prompt at a scale: min(1, scale · score)."""
    return np.minimum(1.0, scale * scores)


def is_drawn(numbers: Floats, probabilities: Floats) -> Flags:
    """Which prompts (N,) a sample holds: those whose number is not above their probability."""
    drawn: Flags = numbers <= probabilities
    return drawn


def scale_for(scores: Floats, expected: float) -> float:
    """The scale at which so many prompts are drawn on average; that of all prompts where it is their number or more.

    Parameters
    ----------
    scores : (N,)
        Above 0, at least one.
    expected : float
    """
    descending = np.sort(scores)[::-1]
    rest = descending.sum() - np.concatenate([[0.0], np.cumsum(descending)[:-1]])
    # With the k largest certain, the scale is (expected − k) / the sum of the others.
    for certain, (score, others) in enumerate(zip(descending, rest, strict=True)):
        scale = (expected - certain) / others
        if scale * score <= 1:
            return float(max(scale, 0.0))
    return float(1 / descending[-1])
