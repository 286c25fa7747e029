"""The mean of F1 over the slices of a level, such as subject models, with its interval.

References
----------
docs/statistics.md, Estimated score.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, known
from stats.bootstrap import Interval, Resampling
from stats.detection import AN_ERROR, METRICS, ConfusionCounts, Decisions, Level, tally
from stats.intervals import effective_intervals, why_withheld
from stats.run_effects import run_part


@dataclass(frozen=True)
class SliceMean:
    """value: None where a slice lacks the figure, or there is no slice. withheld: why a value has no interval, else
    ""."""

    value: float | None
    interval: Interval | None
    withheld: str


UNDEFINED = SliceMean(None, None, "")


def mean_f1(level: Level, decisions: Decisions, resampling: Resampling) -> SliceMean:
    """The plain mean of F1 over all slices, which are resampled at once.

    Parameters
    ----------
    level : Level
    decisions : (N,) int8, or (R, N) of R runs
    resampling : Resampling
    """
    slices, metric = len(level.slices), METRICS["f1"]
    if not slices:
        return UNDEFINED
    by_run = np.stack([_by_cluster(level, run, len(resampling.strata)) for run in np.atleast_2d(decisions)])

    def compute(totals: Floats) -> Floats:
        """The mean (…) of totals (…, slices · 4)."""
        means: Floats = metric.compute_totals(totals.reshape(*totals.shape[:-1], slices, 4)).mean(axis=-1)
        return means

    added = by_run.sum(axis=0)
    value, drawn = compute(added.sum(axis=0)[None]), compute(resampling.counts([added])[0])
    by_slice = ConfusionCounts(*np.moveaxis(added.reshape(-1, slices, 4), -1, 0))
    fewest = metric.clusters(by_slice).min(keepdims=True)
    (around,) = effective_intervals(value, drawn[:, None], fewest, runs=run_part(by_run[:, :, None], compute))
    what = f"prompts with {AN_ERROR} of the {level.slice_name} with the fewest"
    return SliceMean(known(value[0]), around, "" if np.isnan(value[0]) else why_withheld(int(fewest[0]), what))


def _by_cluster(level: Level, run: Decisions, clusters: int) -> Floats:
    """Counts (clusters, slices · 4) in the order of ConfusionCounts."""
    slices = len(level.slices)
    counts = tally(level.gold, run, level.cluster * slices + level.slice, clusters * slices).counts
    fields: Floats = np.stack([counts.tp, counts.fp, counts.fn, counts.tn], axis=1)
    return fields.reshape(clusters, slices * 4)
