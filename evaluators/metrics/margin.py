"""How far an evaluator's F1 lies above a baseline's, on the units that it decided (definitions.md §2, §6)."""

from dataclasses import dataclass

import numpy as np

from annotate.agreement.resampling import Floats, Interval, Ints, Resampling, interval, known
from evaluators.metrics.detection import CORRECT, ERROR, Counts, Decisions, f1, tally


@dataclass(frozen=True)
class Margin:
    """F1 less the baseline's, and its paired interval; both None where the F1 is undefined."""

    value: float | None
    interval: Interval | None

    @property
    def is_above(self) -> bool:
        """Better than the baseline, its interval leaving no doubt."""
        return self.interval is not None and self.interval.low > 0


def margin(gold: Decisions, said: Decisions, baseline: Decisions, cluster: Ints, resampling: Resampling) -> Margin:
    """Decisions (N,) at the same units; `cluster` numbers the prompt of each among those that are resampled."""
    decided = np.isin(gold, (CORRECT, ERROR)) & np.isin(said, (CORRECT, ERROR)) & np.isin(baseline, (CORRECT, ERROR))
    clusters = len(resampling.strata)
    group = cluster[decided]
    sums = np.concatenate([_counts(gold[decided], each[decided], group, clusters) for each in (said, baseline)], axis=1)
    value = known(_difference(sums.sum(axis=0)))
    if value is None:
        return Margin(None, None)
    return Margin(value, interval(_difference(resampling.totals(sums)), len(np.unique(group))))


def _counts(gold: Decisions, said: Decisions, group: Ints, clusters: int) -> Floats:
    counts = tally(gold, said, group, clusters).counts
    return np.stack([counts.tp, counts.fp, counts.fn, counts.tn], axis=1)


def _difference(totals: Floats) -> Floats:
    said, baseline = (Counts(*(totals[..., start + place] for place in range(4))) for start in (0, 4))
    return f1(said) - f1(baseline)
