"""What became of an example: is the true completion's score strictly the highest (FACTOR, equation 1)?

See docs/statistics.md, FACTOR.

Everything follows from the margins of the pairs (true completion, false completion): the true one's score less the
false one's, under one rule of scoring; nan where either has no score. Plain arrays, no database.
"""

from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import Flags, Floats, Ints

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
class Pairs:
    """P pairs of a true and a false completion, those of one example one after the other.

    example: the number of each pair's (P,), from 0; `examples` of them, each with one pair or more. type: the number of
    the false completion's error type (P,).
    """

    example: Ints
    type: Ints
    examples: int


def outcomes_of(pairs: Pairs, margins: Floats, waiting: Flags) -> Ints:
    """The outcome of each example (examples,).

    A tie: none of its false completions scores higher, and one scores the same. One missing score makes the example
    missing, whatever the others say: what was not measured is not guessed. waiting: examples that are not asked yet.
    """
    lowest = np.full(pairs.examples, np.inf)
    np.minimum.at(lowest, pairs.example, np.nan_to_num(margins))
    found = np.select([_is_missing(pairs, margins), lowest > 0, lowest == 0], [MISSING, RIGHT, TIE], WRONG)
    return np.where(waiting, WAITING, found)


def outcomes_of_pairs(pairs: Pairs, margins: Floats, waiting: Flags) -> Ints:
    """The outcome of each pair alone (P,), which is right where equation 2 holds."""
    found = np.select([np.isnan(margins), margins > 0, margins == 0], [MISSING, RIGHT, TIE], WRONG)
    return np.where(waiting[pairs.example], WAITING, found)


def strongest(pairs: Pairs, margins: Floats) -> Ints:
    """Of each example the pair with the lowest margin, the first of several: the false completion that the model finds
    likeliest; -1 where a score is missing."""
    order = np.lexsort((np.arange(len(margins)), margins, pairs.example))
    _, first = np.unique(pairs.example[order], return_index=True)
    return np.where(_is_missing(pairs, margins), -1, order[first])


def chance(pairs: Pairs) -> float:
    """The accuracy of drawing one completion of each example: 1 / 4 where all have three false ones."""
    return float((1 / (1 + np.bincount(pairs.example, minlength=pairs.examples))).mean())


def _is_missing(pairs: Pairs, margins: Floats) -> Flags:
    """Whether a completion of the example has no score (examples,)."""
    return np.bincount(pairs.example, weights=np.isnan(margins), minlength=pairs.examples) > 0
