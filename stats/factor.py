"""FACTOR: outcomes of examples, their groups, and comparisons of models.

An outcome follows from the margins of the pairs (true completion, false completion): the true one's score less the
false one's, under one rule of scoring; nan where either has no score. An example is right where the true completion's
score is strictly the highest.

References
----------
Muhlgay et al. (2024), FACTOR, equations 1 and 2. docs/statistics.md, FACTOR.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR
from stats.detection import MISSING as UNDECIDED
from stats.paired_tests import PairedDifference, Places, compare_pairs, mcnemar

# MISSING: a completion has no score. WAITING: the model has not scored the example yet, so there is no decision.
RIGHT, WRONG, TIE, MISSING, WAITING = range(5)
OUTCOMES = ("right", "wrong", "tie", "missing", "waiting")

MEAN, SUM, DIFFERING = "mean", "sum", "differing"
RULES = {
    MEAN: "Mean log-probability of a token",
    SUM: "Sum of the log-probabilities",
    DIFFERING: "Mean over the tokens that differ",
}


@dataclass(frozen=True)
class CompletionPairs:
    """P pairs of a true and a false completion, those of one example one after the other.

    Attributes
    ----------
    example : (P,) int
        Number of each pair's example, from 0.
    type : (P,) int
        Number of the false completion's error type.
    examples : int
        How many examples there are, each with one pair or more.
    """

    example: Ints
    type: Ints
    examples: int


def outcomes_of(pairs: CompletionPairs, margins: Floats, waiting: Flags) -> Ints:
    """The outcome of each example.

    A tie: none of its false completions scores higher, and one scores the same. One missing score makes the example
    missing, independent of the others: a value that was not measured is not guessed.

    Parameters
    ----------
    pairs : CompletionPairs
    margins : (P,)
    waiting : (examples,) bool
        Examples that the model was not asked yet.

    Returns
    -------
    (examples,) int
    """
    lowest = np.full(pairs.examples, np.inf)
    np.minimum.at(lowest, pairs.example, np.nan_to_num(margins))
    outcomes = np.select([_is_missing(pairs, margins), lowest > 0, lowest == 0], [MISSING, RIGHT, TIE], WRONG)
    return np.where(waiting, WAITING, outcomes)


def outcomes_of_pairs(pairs: CompletionPairs, margins: Floats, waiting: Flags) -> Ints:
    """The outcome (P,) of each pair alone, which is right where equation 2 holds."""
    outcomes = np.select([np.isnan(margins), margins > 0, margins == 0], [MISSING, RIGHT, TIE], WRONG)
    return np.where(waiting[pairs.example], WAITING, outcomes)


def strongest(pairs: CompletionPairs, margins: Floats) -> Ints:
    """The pair with the lowest margin of each example, the first of several; −1 where a score is missing.

    Its false completion is the one that the model finds likeliest.
    """
    order = np.lexsort((np.arange(len(margins)), margins, pairs.example))
    _, first = np.unique(pairs.example[order], return_index=True)
    return np.where(_is_missing(pairs, margins), -1, order[first])


def chance(pairs: CompletionPairs) -> float:
    """The accuracy of drawing one completion of each example: 1 / 4 where all have three false ones."""
    return float((1 / (1 + np.bincount(pairs.example, minlength=pairs.examples))).mean())


def _is_missing(pairs: CompletionPairs, margins: Floats) -> Flags:
    """Whether a completion of the example has no score (examples,)."""
    return np.bincount(pairs.example, weights=np.isnan(margins), minlength=pairs.examples) > 0


# Mean edit distances of an example up to each of these, and those beyond the last.
ENDS = (1.0, 2.0, 4.0)
STRATA = ("1 word or less", "more than 1, up to 2", "more than 2, up to 4", "more than 4")

BEFORE, AFTER, UNKNOWN = range(3)
SIDES = ("before", "after", "unknown")


def strata_of(distances: Floats) -> Ints:
    """The stratum of each example, a place in STRATA, by the mean distance of its false completions from the true one.

    References
    ----------
    Muhlgay et al. (2024), FACTOR, table 2.
    """
    return np.searchsorted(np.array(ENDS), distances, side="left")


def sides_of(dated: Sequence[date | None], cutoff: date | None) -> Ints:
    """The side of each example's document with respect to a model's last training text.

    AFTER where it is dated later than the cut-off, BEFORE on that day and earlier, UNKNOWN where either date is not
    known.

    References
    ----------
    Muhlgay et al. (2024), FACTOR, §4.2.
    """
    return np.array(
        [UNKNOWN if day is None or cutoff is None else AFTER if day > cutoff else BEFORE for day in dated],
        dtype=np.int64,
    )


@dataclass(frozen=True)
class ModelComparison:
    """Two models on the examples that both were asked.

    Attributes
    ----------
    difference : of the one's accuracy less the other's
    only_one, only_other : examples that one alone got right
    mcnemar : p of the exact test; None where a document has several of the examples, which it takes for independent
    """

    difference: PairedDifference
    only_one: int
    only_other: int
    mcnemar: float | None


def compare_models(
    outcomes: Sequence[Ints], cluster: Ints, resampling: Resampling, pairs: Sequence[Places] | None = None
) -> list[ModelComparison]:
    """The difference of accuracy of each pair of models; the pairs are decided together.

    To be right is to find the example: accuracy is the share found, so the tests are those of two evaluators' recall. A
    tie and a missing score are not right; an example that waits in either model is left out of their pair.

    Parameters
    ----------
    outcomes : (examples,) int for each model
    cluster : (examples,) int
        Number of each example's document.
    resampling : Resampling
    pairs : places of models; None for every pair

    References
    ----------
    docs/statistics.md, Intervals and tests.
    """
    decided = [np.where(each == RIGHT, ERROR, np.where(each == WAITING, UNDECIDED, CORRECT)) for each in outcomes]
    decisions = [each.astype(np.int8) for each in decided]
    gold = np.full(len(cluster), ERROR, dtype=np.int8)
    differences = compare_pairs(gold, decisions, cluster, "recall", resampling, pairs)
    return [_compared(each, outcomes, cluster) for each in differences]


def _compared(difference: PairedDifference, outcomes: Sequence[Ints], cluster: Ints) -> ModelComparison:
    one, other = (outcomes[place] for place in difference.places)
    both = (one != WAITING) & (other != WAITING)
    only_one = int((both & (one == RIGHT) & (other != RIGHT)).sum())
    only_other = int((both & (other == RIGHT) & (one != RIGHT)).sum())
    alone = both.any() and np.bincount(cluster[both]).max() == 1
    return ModelComparison(difference, only_one, only_other, mcnemar(only_one, only_other) if alone else None)
