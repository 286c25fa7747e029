"""Trivial baselines: judges that know nothing, and the margin of an evaluator above them.

References
----------
docs/statistics.md, Error detection.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, Ints, known, ratio
from stats.bootstrap import Interval, Resampling
from stats.detection import CORRECT, ERROR, ConfusionCounts, Decisions, f1, tally
from stats.paired_tests import PairedDifference, PairFamily, compare_pairs
from stats.pessimistic import LEAST_COVERAGE, undecided_as_wrong, why_unranked

SUPPORTED = "supported"
NOT_SUPPORTED = "not_supported"
RANDOM_SEED = 20231


def random_value(seed: int, index: str, segment: int, fact: int | None) -> str:
    """The seeded draw of the random baseline at an address, an error with P = 0.5.

    It depends on the address alone, so it is the same in any order and in any part of a dataset.
    """
    address = f"{seed}\x1f{index}\x1f{segment}\x1f{'' if fact is None else fact}"
    return NOT_SUPPORTED if hashlib.sha256(address.encode()).digest()[0] & 1 else SUPPORTED


def chance_of_error(parts: Ints) -> Floats:
    """The probability (N,) that a random judge calls a whole of so many parts (N,) an error: one part is enough."""
    chances: Floats = 1 - 0.5 ** parts.astype(np.float64)
    return chances


def expected_counts(gold: Decisions, chance: Floats, group: Ints, groups: int) -> ConfusionCounts:
    """Expected counts of each group where each unit is called an error with its own probability.

    Parameters
    ----------
    gold : (N,) int8
    chance : (N,)
        Probability of an error at each unit.
    group : (N,) int
        Number of each unit's group.
    groups : int
        How many groups there are.

    Returns
    -------
    ConfusionCounts of arrays (groups,).
    """

    def total(gold_code: int, shares: Floats) -> Floats:
        units = gold == gold_code
        return np.bincount(group[units], weights=shares[units], minlength=groups).astype(np.float64)

    return ConfusionCounts(
        tp=total(ERROR, chance), fp=total(CORRECT, chance), fn=total(ERROR, 1 - chance), tn=total(CORRECT, 1 - chance)
    )


@dataclass(frozen=True)
class Margin:
    """F1 less a baseline's, over all units with gold, undecided ones counted as wrong.

    Attributes
    ----------
    f1, value : float, or None
        F1, and how much it is above the baseline's; None where gold has no error.
    interval : Interval, or None
        For all evaluators together: it lies above 0 just where `is_above` holds. None where `value` is, and for an
        evaluator that is not ranked.
    is_above : bool
    unranked : why the evaluator is not tested, None where it is
    """

    f1: float | None
    value: float | None
    interval: Interval | None
    is_above: bool
    unranked: str | None


def margins(
    gold: Decisions,
    decisions: Sequence[Decisions],
    baseline: Decisions,
    cluster: Ints,
    resampling: Resampling,
    least: float = LEAST_COVERAGE,
) -> list[Margin]:
    """The margin of each evaluator's F1 above a baseline's.

    The baseline to beat calls everything an error. No trivial one is expected to have a higher F1, though a draw of the
    random one can. All evaluators that decided enough are tested together, as a comparison tests them.

    Parameters
    ----------
    gold, baseline : (N,) int8
    decisions : (N,) int8 for each evaluator, or (R, N) of its R runs
    cluster : (N,) int
        Number of each unit's prompt among those that are resampled.
    resampling : Resampling
    least : the coverage from which an evaluator is tested
    """
    filled = [baseline, *(undecided_as_wrong(gold, each) for each in decisions)]
    unranked = [_why_unranked(gold, each, least) for each in decisions]
    pairs = [(0, place) for place in range(1, len(filled))]
    family = PairFamily([pair for pair, why in zip(pairs, unranked, strict=True) if why is None])
    found = compare_pairs(gold, filled, cluster, "f1", resampling, pairs, [family])
    return [_margin(gold, each, filled[each.places[1]], why) for each, why in zip(found, unranked, strict=True)]


def _why_unranked(gold: Decisions, decisions: Decisions, least: float) -> str | None:
    counted = tally(gold, decisions, np.zeros(len(gold), dtype=np.int64), 1)
    return why_unranked(known(ratio(counted.predicted, counted.n)[0]), least)


def _margin(gold: Decisions, compared: PairedDifference, filled: Decisions, unranked: str | None) -> Margin:
    """The difference is the baseline's F1 less the evaluator's."""
    around = compared.simultaneous
    return Margin(
        f1=known(f1(tally(gold, filled, np.zeros(len(gold), dtype=np.int64), 1).counts)[0]),
        value=None if compared.difference is None else 0.0 - compared.difference,
        interval=None if around is None else Interval(-around.high, -around.low, around.undefined),
        is_above=compared.better == compared.places[1],
        unranked=unranked,
    )
