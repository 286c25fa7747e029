"""The smallest difference of F1 that a dataset can show, at each level and in each slice.

See docs/statistics.md, Intervals and tests.
"""

import hashlib
from dataclasses import asdict, replace
from math import comb
from typing import cast

import numpy as np

from annotate.models import Dataset, GoldVersion
from core.caching import cached
from core.errors import DataError
from evaluators.comparison.documents import DetectableDifference, DetectableDifferences
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.levels import gold_levels
from evaluators.comparison.slices import ALL, ERROR_TYPE, NO_SLICE, Slicing, slicings
from evaluators.comparison.study import gold_state, table_of
from evaluators.predictions.read import latest_runs
from stats.detection import MISSING
from stats.gold_table import GoldTable
from stats.power import SimulatedRates, smallest_differences

USUAL = SimulatedRates()
BY = ("domain", "subject")


def usual_rates(dataset: Dataset) -> SimulatedRates:
    """The rates to begin with: one more evaluator is compared with those that have a finished run."""
    compared = {run.evaluator_id for run in latest_runs(dataset) if run.evaluator.method not in TRIVIAL}
    return replace(USUAL, comparisons=pairs_among(len(compared) + 1))


def pairs_among(evaluators: int) -> int:
    """The number of pairs in the first step of their comparison, at least 1.

    It holds every pair also where only the highest is compared with the others: chance chose it among all.
    """
    return max(1, comb(evaluators, 2))


def detectable_of(
    dataset: Dataset, version: GoldVersion | None, by: str | None = None, rates: SimulatedRates = USUAL
) -> DetectableDifferences:
    """The smallest detectable differences, kept as long as gold stands.

    by: a slicing; None for domains, or else subjects.
    DataError: there is no such slicing.
    """
    made_of = [gold_state(dataset, version), dataset.name, version.name if version else None, by, rates]
    key = f"detectable-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"
    return cached(key, lambda: _compute(dataset, version, by, rates))


def _compute(
    dataset: Dataset, version: GoldVersion | None, by: str | None, rates: SimulatedRates
) -> DetectableDifferences:
    table = table_of(dataset, version)
    slicing = _find_slicing(table, by)
    return {
        "dataset": dataset.name,
        "gold_version": version.name if version else None,
        "recall": rates.recall,
        "false_alarms": rates.false_alarms,
        "correlation": rates.correlation,
        "shared": rates.shared,
        "comparisons": rates.comparisons,
        "by": slicing.name if slicing else None,
        "results": _results(table, slicing, rates),
    }


def _find_slicing(table: GoldTable, by: str | None) -> Slicing | None:
    """None where no slicing is named and the dataset has neither domains nor subjects."""
    known = {name: slicing for name, slicing in slicings(table).items() if name != ERROR_TYPE}
    if by is not None and by not in known:
        raise DataError(f"The dataset has no slicing {by!r}, only {', '.join(known)}.")
    return known[by] if by else next((known[name] for name in BY if name in known), None)


def _results(table: GoldTable, slicing: Slicing | None, rates: SimulatedRates) -> list[DetectableDifference]:
    results: list[DetectableDifference] = []
    for level in gold_levels(table):
        inside = slicing is not None and level.name in slicing.of
        part = slicing.of[level.name] if slicing and inside else np.full(len(level.gold), NO_SLICE)
        names = slicing.names if slicing and inside else ()
        with_gold = part[level.gold != MISSING]
        differences = smallest_differences(level.gold, level.cluster, part, len(names), rates)
        results += [
            cast(DetectableDifference, {"level": level.name, "slice": name, **asdict(each)})
            for place, (name, each) in enumerate(zip((ALL, *names), differences, strict=True))
            if not place or (with_gold == place - 1).any()
        ]
    return results
