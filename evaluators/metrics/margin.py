"""How far evaluators' F1 lie above a baseline's, each on the units that it decided.

See docs/statistics.md, Error detection, and Intervals and tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import Floats, Interval, Ints, Resampling, interval, known

from evaluators.metrics.detection import CORRECT, ERROR, Counts, Decisions, f1, tally

FIELDS = 4


@dataclass(frozen=True)
class Margin:
    """F1 less the baseline's, and its paired interval; both None where the F1 is undefined."""

    value: float | None
    interval: Interval | None

    @property
    def is_above(self) -> bool:
        """Better than the baseline, its interval leaving no doubt."""
        return self.interval is not None and self.interval.low > 0


def margins(
    gold: Decisions, said: Sequence[Decisions], baseline: Decisions, cluster: Ints, resampling: Resampling
) -> list[Margin]:
    """Of each evaluator's decisions (N,); `cluster` numbers the prompt of each unit among those that are resampled.

    One set of draws serves all. The trivial baseline to beat is that of calling everything an error: no other one has a
    higher F1, and no test of pairs is needed to say by how much.
    """
    if not said:
        return []
    sums = [_sums(gold, each, baseline, cluster, len(resampling.strata)) for each in said]
    drawn = resampling.counts(sums)
    return [_margin(of_judge, of_draws) for of_judge, of_draws in zip(sums, drawn, strict=True)]


def _sums(gold: Decisions, said: Decisions, baseline: Decisions, cluster: Ints, clusters: int) -> Floats:
    """Per cluster the counts of the evaluator and of the baseline where it decided: (clusters, 2 * FIELDS)."""
    decided = np.isin(said, (CORRECT, ERROR))
    group = cluster[decided]
    return np.concatenate([_counts(gold[decided], each[decided], group, clusters) for each in (said, baseline)], axis=1)


def _counts(gold: Decisions, said: Decisions, group: Ints, clusters: int) -> Floats:
    counts = tally(gold, said, group, clusters).counts
    return np.stack([counts.tp, counts.fp, counts.fn, counts.tn], axis=1)


def _margin(sums: Floats, drawn: Floats) -> Margin:
    value = known(_difference(sums.sum(axis=0)))
    clusters = int((sums > 0).any(axis=1).sum())
    return Margin(value, None if value is None else interval(_difference(drawn), clusters))


def _difference(totals: Floats) -> Floats:
    said, baseline = (Counts(*(totals[..., start + place] for place in range(FIELDS))) for start in (0, FIELDS))
    return f1(said) - f1(baseline)
