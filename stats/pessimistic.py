"""Figures that count undecided units as wrong, and the coverage from which an evaluator is ranked.

An evaluator that decides little and well has high figures on what it decided. The figure that counts unparsed and
missing units as wrong does not reward that: it is the lower bound, and it is over the same units for all evaluators.

References
----------
docs/statistics.md, Units without a decision; Ranks.
"""

from collections.abc import Collection
from typing import cast

import numpy as np

from stats.bootstrap import ROUNDING, Resampling
from stats.detection import (
    CORRECT,
    ERROR,
    HEADLINES,
    METRICS,
    NO_UNITS,
    Decisions,
    DetectionRow,
    Level,
    describe_level,
    ends_of,
    figure_of,
)

# Evaluators that decided a smaller share of the units are not ranked, where nothing else is asked for.
LEAST_COVERAGE = 0.95


def undecided_as_wrong(gold: Decisions, decisions: Decisions) -> Decisions:
    """The decisions with every undecided unit that has gold judged against gold.

    Parameters
    ----------
    gold : (N,) int8
    decisions : (N,) int8, or (R, N) of R runs

    Returns
    -------
    int8 of the shape of `decisions`
    """
    undecided = np.isin(gold, (ERROR, CORRECT)) & ~np.isin(decisions, (ERROR, CORRECT))
    filled: Decisions = np.where(undecided, ERROR + CORRECT - gold, decisions).astype(np.int8)
    return filled


def describe_with_pessimistic(
    level: Level,
    decisions: list[Decisions],
    resampling: Resampling,
    headlines: Collection[str] = HEADLINES,
    least: float = LEAST_COVERAGE,
) -> list[list[DetectionRow]]:
    """Results as of `describe_level`, each with its pessimistic figures and the reason why it is not ranked.

    Parameters
    ----------
    level : Level
    decisions : (N,) int8 for each evaluator, or (R, N) of its R runs
    resampling : Resampling
    headlines : names of METRICS
        Those that come with intervals.
    least : the coverage from which an evaluator is ranked
    """
    filled = [undecided_as_wrong(level.gold, each) for each in decisions]
    partial = [place for place, each in enumerate(decisions) if (filled[place] != each).any()]
    judged = describe_level(level, decisions, resampling, headlines)
    worst = describe_level(level, [filled[place] for place in partial], resampling, headlines)
    pessimistic = dict(zip(partial, worst, strict=True))
    return [
        [_with_pessimistic(*two, headlines, least) for two in zip(rows, pessimistic.get(place, rows), strict=True)]
        for place, rows in enumerate(judged)
    ]


def _with_pessimistic(row: DetectionRow, worst: DetectionRow, headlines: Collection[str], least: float) -> DetectionRow:
    return cast(
        DetectionRow,
        {
            **row,
            "pessimistic": {name: figure_of(worst, name) for name in METRICS},
            "pessimistic_intervals": {name: ends_of(worst, f"{name}_interval") for name in headlines},
            "pessimistic_withheld": worst["withheld"],
            "pessimistic_error_prompts": worst["error_prompts"],
            "unranked": why_unranked(row["coverage"], least),
        },
    )


def why_unranked(coverage: float | None, least: float = LEAST_COVERAGE) -> str | None:
    """The reason why an evaluator with this coverage is not ranked where `least` is asked for; None where it is."""
    if coverage is None:
        return NO_UNITS
    if coverage >= least:
        return None
    return f"judged {_percent(coverage)} of the units; {least * 100:g}% are asked for".replace("%", " %")


def _percent(share: float) -> str:
    """Rounded down, so that no share below the least one reads as it."""
    return f"{int(share * 100 + ROUNDING)}%" if share >= 0.01 or share == 0 else "less than 1%"
