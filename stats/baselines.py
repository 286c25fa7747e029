"""Trivial baselines: judges that know nothing, and the margin of an evaluator above them.

References
----------
docs/statistics.md, Error detection.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, Ints, known
from stats.bootstrap import Interval, Resampling, interval
from stats.detection import CORRECT, ERROR, ConfusionCounts, Decisions, f1, tally

SUPPORTED = "supported"
NOT_SUPPORTED = "not_supported"
RANDOM_SEED = 20231


def random_value(seed: int, index: str, segment: int, fact: int | None) -> str:
    """The seeded draw of the random baseline at an address, an error with P = 0.5.

    It depends on the address alone, so it is the same in any order and in any part of a data set.
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


FIELDS = 4


@dataclass(frozen=True)
class Margin:
    """F1 less the baseline's, and its paired interval; both None where the F1 is undefined."""

    value: float | None
    interval: Interval | None

    @property
    def is_above(self) -> bool:
        """Whether the interval lies above 0."""
        return self.interval is not None and self.interval.low > 0


def margins(
    gold: Decisions, decisions: Sequence[Decisions], baseline: Decisions, cluster: Ints, resampling: Resampling
) -> list[Margin]:
    """The margin of each evaluator's F1 above a baseline's, on the units that it decided.

    The baseline to beat calls everything an error. No trivial one is expected to have a higher F1, though a draw of the
    random one can. One set of draws serves all evaluators.

    Parameters
    ----------
    gold, baseline : (N,) int8
    decisions : (N,) int8 for each evaluator
    cluster : (N,) int
        Number of each unit's prompt among those that are resampled.
    resampling : Resampling
    """
    if not decisions:
        return []
    sums = [_sums(gold, each, baseline, cluster, len(resampling.strata)) for each in decisions]
    drawn = resampling.counts(sums)
    return [_margin(of_judge, of_draws) for of_judge, of_draws in zip(sums, drawn, strict=True)]


def _sums(gold: Decisions, decisions: Decisions, baseline: Decisions, cluster: Ints, clusters: int) -> Floats:
    """Per cluster the counts of the evaluator and of the baseline where it decided: (clusters, 2 * FIELDS)."""
    decided = np.isin(decisions, (CORRECT, ERROR))
    group = cluster[decided]
    return np.concatenate(
        [_counts(gold[decided], each[decided], group, clusters) for each in (decisions, baseline)], axis=1
    )


def _counts(gold: Decisions, decisions: Decisions, group: Ints, clusters: int) -> Floats:
    counts = tally(gold, decisions, group, clusters).counts
    return np.stack([counts.tp, counts.fp, counts.fn, counts.tn], axis=1)


def _margin(sums: Floats, drawn: Floats) -> Margin:
    value = known(_difference(sums.sum(axis=0)))
    clusters = int((sums > 0).any(axis=1).sum())
    return Margin(value, None if value is None else interval(_difference(drawn), clusters))


def _difference(totals: Floats) -> Floats:
    evaluator, baseline = (
        ConfusionCounts(*(totals[..., start + place] for place in range(FIELDS))) for start in (0, FIELDS)
    )
    return f1(evaluator) - f1(baseline)
