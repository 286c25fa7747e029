"""Two models on the examples that both were asked: how far apart, and is it more than chance.

See docs/statistics.md, Intervals and tests.

To be right is to find the example: accuracy is the share found, so the tests are those of two evaluators' recall.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import Ints, Resampling
from evaluators.metrics.detection import CORRECT, ERROR
from evaluators.metrics.detection import MISSING as UNDECIDED

from evaluators.metrics.mcnemar import mcnemar
from evaluators.metrics.paired import Difference, Places, compare_pairs
from factor.metrics.outcomes import RIGHT, WAITING


@dataclass(frozen=True)
class Compared:
    """difference: of the one's accuracy less the other's. only_one, only_other: examples that one alone got right.

    mcnemar: the exact test's p; None where a document has several of the examples, which it would take for independent.
    """

    difference: Difference
    only_one: int
    only_other: int
    mcnemar: float | None


def compare_models(
    outcomes: Sequence[Ints], cluster: Ints, resampling: Resampling, pairs: Sequence[Places] | None = None
) -> list[Compared]:
    """Every pair of the models' outcomes (examples,), or these pairs; p is adjusted by Holm for all of them.

    cluster: the number of each example's document. A tie and a missing score are not right; an example that waits in
    either model is left out of their pair.
    """
    decided = [np.where(each == RIGHT, ERROR, np.where(each == WAITING, UNDECIDED, CORRECT)) for each in outcomes]
    decisions = [each.astype(np.int8) for each in decided]
    gold = np.full(len(cluster), ERROR, dtype=np.int8)
    found = compare_pairs(gold, decisions, cluster, "recall", resampling, pairs)
    return [_compared(each, outcomes, cluster) for each in found]


def _compared(difference: Difference, outcomes: Sequence[Ints], cluster: Ints) -> Compared:
    one, other = (outcomes[place] for place in difference.places)
    both = (one != WAITING) & (other != WAITING)
    only_one = int((both & (one == RIGHT) & (other != RIGHT)).sum())
    only_other = int((both & (other == RIGHT) & (one != RIGHT)).sum())
    alone = both.any() and np.bincount(cluster[both]).max() == 1
    return Compared(difference, only_one, only_other, mcnemar(only_one, only_other) if alone else None)
