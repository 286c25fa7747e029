"""Two evaluators compared after each prompt with gold, so that one may look at any time.

See docs/statistics.md, As the board grows.
"""

import hashlib
from dataclasses import asdict
from typing import TypedDict

import numpy as np
from django.db.models import Min

from annotate.models import Dataset, GoldLabel
from core.caching import cached
from core.errors import DataError
from evaluators.comparison.figures import decisions_of
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import gold_levels
from evaluators.comparison.study import ComparisonStudy, gold_state
from evaluators.predictions.read import run_state
from stats.anytime import RunningInterval, accuracy_differences, running_interval
from stats.arrays import Flags, Ints
from stats.bootstrap import CONFIDENCE, SEED
from stats.detection import CORRECT, ERROR, Level

NEVER = 2**62
MOST_WEIGHT = 100


class RunningPoint(TypedDict):
    """After so many prompts the mean difference so far, and the interval."""

    prompts: int
    mean: float
    low: float
    high: float


class RunningComparison(TypedDict):
    """The document of `running_comparison` (docs/commands.md)."""

    dataset: str
    gold_version: str | None
    one: str
    other: str
    level: str
    error_weight: float
    probability: float
    n: int
    excluded_at: int | None
    better: str | None
    evidence: float | None
    running: list[RunningPoint]


def running_comparison(
    study: ComparisonStudy, one: str, other: str, level: str, error_weight: float = 1.0
) -> RunningComparison:
    """The difference of accuracy; kept while neither gold nor the runs change.

    error_weight: an error counts as so many correct units.
    DataError: no such evaluators, or a weight that is not from 1 to MOST_WEIGHT.
    """
    if not 1 <= error_weight <= MOST_WEIGHT:
        raise DataError(f"The weight of an error must be 1 to {MOST_WEIGHT}, not {error_weight:g}.")
    judges = {judge.name: judge for judge in study.judges}
    for name in (one, other):
        if name not in judges:
            raise DataError(f"{study.dataset.name} has no finished run of an evaluator {name!r}.")
    if one == other:
        raise DataError("Name two evaluators.")
    pair = judges[one], judges[other]
    states = [run_state(judge.run) if judge.run else judge.name for judge in pair]
    named = study.dataset.name, study.version.name if study.version else None
    state = [gold_state(study.dataset, study.version), named, states, one, other, level, error_weight]
    key = f"running-{hashlib.sha256(repr(state).encode()).hexdigest()}"
    return cached(key, lambda: _describe(study, pair, level, error_weight))


def _describe(study: ComparisonStudy, pair: tuple[Judge, Judge], name: str, error_weight: float) -> RunningComparison:
    level = next(level for level in gold_levels(study.table) if level.name == name)
    counted = np.isin(level.gold, (CORRECT, ERROR))
    place = _places(study)[level.cluster[counted]]
    right = [_right(study, judge, level)[counted] for judge in pair]
    weights = np.where(level.gold[counted] == ERROR, error_weight, 1.0)
    run = running_interval(accuracy_differences(place, right[0], right[1], weights))
    return {
        "dataset": study.dataset.name,
        "gold_version": study.version.name if study.version else None,
        "one": pair[0].name,
        "other": pair[1].name,
        "level": name,
        "error_weight": error_weight,
        "probability": CONFIDENCE,
        "n": int(counted.sum()),
        "excluded_at": run.excluded,
        "better": None if run.excluded is None else pair[int(run.high[-1] <= 0)].name,
        "evidence": float(run.evidence.max()) if len(run.evidence) else None,
        "running": _points(run),
    }


def _points(run: RunningInterval) -> list[RunningPoint]:
    columns = asdict(run)
    return [
        {"prompts": place + 1, "mean": mean, "low": low, "high": high}
        for place, (mean, low, high) in enumerate(
            zip(*(columns[name].tolist() for name in ("mean", "low", "high")), strict=True)
        )
    ]


def _right(study: ComparisonStudy, judge: Judge, level: Level) -> Flags:
    """Undecided units are wrong."""
    right: Flags = decisions_of(study.table, judge, level.name) == level.gold
    return right


def _places(study: ComparisonStudy) -> Ints:
    """The place of each prompt in the order in which gold first came to it.

    Prompts whose gold came at once, as from a file, stand in an order by their keys' hashes, which does not depend on
    their gold and stays as it is when others come.
    """
    first = _first_gold(study.dataset)
    responses = study.table.responses
    arrived: dict[int, tuple[int, str]] = {}
    for key, prompt in zip(responses.key.tolist(), responses.prompt.tolist(), strict=True):
        of_response = first.get(key, NEVER), hashlib.sha256(f"{SEED} {key}".encode()).hexdigest()
        arrived[prompt] = min(arrived.get(prompt, of_response), of_response)
    places = np.zeros(len(arrived), dtype=np.int64)
    places[sorted(arrived, key=lambda prompt: arrived[prompt])] = np.arange(len(arrived))
    return places


def _first_gold(dataset: Dataset) -> dict[int, int]:
    """The revision with which gold first came to each response."""
    rows = GoldLabel.objects.of(dataset).values_list("segment__response").annotate(Min("revision")).order_by()
    return dict(rows)
