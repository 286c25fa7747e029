"""The runs of one evaluator beside each other: a figure by run, and where its variance comes from.

References
----------
docs/statistics.md, Repeated runs.
"""

from dataclasses import replace
from typing import TypedDict

import numpy as np

from stats.arrays import Floats
from stats.bootstrap import Resampling
from stats.detection import METRICS, Decisions, Level, describe_level, ends_of, figure_of, tally
from stats.run_effects import VarianceComponents, gradient, variance_components


class RunShares(TypedDict):
    """Where the variance of a figure of several runs comes from; None where nothing varies.

    variance_shares: of "prompt", "run" and "interaction" in the variance of one run's figure; set_to_zero: those whose
    estimate was below 0. run_part: the share of run and interaction in the variance of the figure of all runs together.
    runs_to_halve: how many runs halve that part, None where there is none; width_then: the standard error with them
    over that of today; width_least: the same with ever more runs.
    """

    variance_shares: dict[str, float] | None
    set_to_zero: list[str]
    run_part: float | None
    runs_to_halve: int | None
    width_then: float | None
    width_least: float | None


class RunNoise(RunShares):
    """figures, intervals: by run, of that run alone over prompts; None where undefined or withheld."""

    figures: list[float | None]
    intervals: list[list[float] | None]


def describe_runs(level: Level, runs: Decisions, figure: str, resampling: Resampling) -> RunNoise:
    """The runs (R, N) of an evaluator, two or more, by a metric of METRICS.

    Parameters
    ----------
    level : Level
        Its slices do not count.
    runs : (R, N) int8
    figure : name of METRICS
    resampling : Resampling
    """
    whole = replace(level, slice=np.zeros(len(level.gold), dtype=np.int64), slices=("all",))
    rows = [described[0] for described in describe_level(whole, list(runs), resampling, (figure,))]
    components = variance_components(linearised(level, runs, figure, len(resampling.strata)))
    return {
        "figures": [figure_of(row, figure) for row in rows],
        "intervals": [ends_of(row, f"{figure}_interval") for row in rows],
        **_shares(components, len(runs)),
    }


def _shares(components: VarianceComponents | None, runs: int) -> RunShares:
    shares = components.shares() if components else None
    if components is None or shares is None:
        return {
            "variance_shares": None,
            "set_to_zero": [],
            "run_part": None,
            "runs_to_halve": None,
            "width_then": None,
            "width_least": None,
        }
    today = components.of_runs(runs)
    return {
        "variance_shares": shares,
        "set_to_zero": list(components.set_to_zero),
        "run_part": 1 - components.prompt / today,
        "runs_to_halve": 2 * runs if components.prompt < today else None,
        "width_then": float(np.sqrt(components.of_runs(2 * runs) / today)),
        "width_least": float(np.sqrt(components.prompt / today)),
    }


def linearised(level: Level, runs: Decisions, figure: str, clusters: int) -> Floats:
    """The linearised values of a metric by prompt and run.

    A run's count in a prompt, times the derivative of the metric by the count: those of a run add up to its figure less
    that of all runs, in first order.

    Parameters
    ----------
    level : Level
    runs : (R, N) int8
    figure : name of METRICS
    clusters : int

    Returns
    -------
    (prompts with a unit that counts, R); nan where the figure is undefined.
    """
    counts = [tally(level.gold, run, level.cluster, clusters).counts for run in runs]
    by_run = np.stack([np.stack([each.tp, each.fp, each.fn, each.tn], axis=1) for each in counts])
    slopes = gradient(by_run.sum(axis=1).mean(axis=0)[None], METRICS[figure].compute_totals)[0]
    values: Floats = (by_run[:, by_run.any(axis=(0, 2))] @ slopes).T
    return values
