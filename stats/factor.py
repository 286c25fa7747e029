"""What became of an example: is the true completion's score strictly the highest? (definitions.md §8, FACTOR eq. 1.)

Everything follows from the margins of the pairs (true completion, false completion): the true one's score less the
false one's, under one rule of scoring; nan where either has no score. Plain arrays, no database.
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

# MISSING: a completion has no score. WAITING: the model has not come to the example yet, which is then no decision.
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

    example: the number of each pair's (P,), from 0; `examples` of them, each with one pair or more. type: the number of
    the false completion's error type (P,).
    """

    example: Ints
    type: Ints
    examples: int


def outcomes_of(pairs: CompletionPairs, margins: Floats, waiting: Flags) -> Ints:
    """The outcome of each example (examples,).

    A tie: none of its false completions scores higher, and one scores the same. One missing score makes the example
    missing, whatever the others say: what was not measured is not guessed. waiting: examples that are not asked yet.
    """
    lowest = np.full(pairs.examples, np.inf)
    np.minimum.at(lowest, pairs.example, np.nan_to_num(margins))
    found = np.select([_is_missing(pairs, margins), lowest > 0, lowest == 0], [MISSING, RIGHT, TIE], WRONG)
    return np.where(waiting, WAITING, found)


def outcomes_of_pairs(pairs: CompletionPairs, margins: Floats, waiting: Flags) -> Ints:
    """The outcome of each pair alone (P,), which is right where equation 2 holds."""
    found = np.select([np.isnan(margins), margins > 0, margins == 0], [MISSING, RIGHT, TIE], WRONG)
    return np.where(waiting[pairs.example], WAITING, found)


def strongest(pairs: CompletionPairs, margins: Floats) -> Ints:
    """Of each example the pair with the lowest margin, the first of several: the false completion that the model finds
    likeliest; -1 where a score is missing."""
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
    """The stratum of each example, a place in STRATA, by the mean distance of its false completions from the true."""
    return np.searchsorted(np.array(ENDS), distances, side="left")


def sides_of(dated: Sequence[date | None], cutoff: date | None) -> Ints:
    """The side of each example: AFTER where its document is dated later than the cut-off, BEFORE on that day and
    earlier, UNKNOWN where either date is not known."""
    return np.array(
        [UNKNOWN if day is None or cutoff is None else AFTER if day > cutoff else BEFORE for day in dated],
        dtype=np.int64,
    )


@dataclass(frozen=True)
class ModelComparison:
    """difference: of the one's accuracy less the other's. only_one, only_other: examples that one alone got right.

    mcnemar: the exact test's p; None where a document has several of the examples, which it would take for independent.
    """

    difference: PairedDifference
    only_one: int
    only_other: int
    mcnemar: float | None


def compare_models(
    outcomes: Sequence[Ints], cluster: Ints, resampling: Resampling, pairs: Sequence[Places] | None = None
) -> list[ModelComparison]:
    """Every pair of the models' outcomes (examples,), or these pairs; p is adjusted by Holm for all of them.

    cluster: the number of each example's document. A tie and a missing score are not right; an example that waits in
    either model is left out of their pair.
    """
    decided = [np.where(each == RIGHT, ERROR, np.where(each == WAITING, UNDECIDED, CORRECT)) for each in outcomes]
    decisions = [each.astype(np.int8) for each in decided]
    gold = np.full(len(cluster), ERROR, dtype=np.int8)
    found = compare_pairs(gold, decisions, cluster, "recall", resampling, pairs)
    return [_compared(each, outcomes, cluster) for each in found]


def _compared(difference: PairedDifference, outcomes: Sequence[Ints], cluster: Ints) -> ModelComparison:
    one, other = (outcomes[place] for place in difference.places)
    both = (one != WAITING) & (other != WAITING)
    only_one = int((both & (one == RIGHT) & (other != RIGHT)).sum())
    only_other = int((both & (other == RIGHT) & (one != RIGHT)).sum())
    alone = both.any() and np.bincount(cluster[both]).max() == 1
    return ModelComparison(difference, only_one, only_other, mcnemar(only_one, only_other) if alone else None)
