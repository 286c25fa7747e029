"""The figures of the page of stages: computed once for each state of gold and of the runs."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.caching import cached
from evaluators.charts.marks import ReferenceLine
from evaluators.comparison.annotators import human_f1
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import gold_levels
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import ComparisonStudy, gold_state
from evaluators.predictions.read import run_state
from evaluators.stages.chains import Staged, find_chains, find_swaps, stage_runs
from evaluators.stages.measure import Measures, RunQuality, Two
from evaluators.stages.present import STAGE_NAMES, ChainRow, Changes, SwapRow, show_chain, show_swap, twos_of
from stats.arrays import Floats, known
from stats.detection import CORRECT, ERROR, ConfusionCounts, f1


@dataclass(frozen=True)
class StagesComparison:
    """runs: those whose stages are known. others: the names of the evaluators whose are not. always_error, human: the
    F1 of calling everything an error, and of one annotator against the other, None where there is none."""

    runs: list[Staged]
    others: list[str]
    chains: list[ChainRow]
    swaps: list[SwapRow]
    always_error: float | None
    human: float | None

    @property
    def references(self) -> list[ReferenceLine]:
        return [
            ReferenceLine("calling everything an error", self.always_error),
            ReferenceLine("one annotator against the other", self.human, "human"),
        ]


def find(study: ComparisonStudy, stage: str) -> StagesComparison:
    """stage: the one whose swaps are wanted; of any other text, all."""
    runs = stage_runs(study.judges)
    names = {run.name for run in runs}
    chains, swaps = find_chains(runs), find_swaps(runs)
    quality, changes = _measured(study, [run.judge for run in runs], twos_of(chains, swaps))
    selected = [swap for swap in swaps if stage not in STAGE_NAMES or swap.stage == stage]
    return StagesComparison(
        runs,
        [judge.name for judge in study.judges if judge.run is not None and judge.name not in names],
        [show_chain(chain, changes, quality, study.dataset.name) for chain in chains],
        [show_swap(swap, changes, quality) for swap in selected],
        known(_always_error(study)),
        human_f1(study.dataset, gold_levels(study.table)[0].name, ALL),
    )


def _always_error(study: ComparisonStudy) -> Floats:
    gold = gold_levels(study.table)[0].gold
    errors, correct = float((gold == ERROR).sum()), float((gold == CORRECT).sum())
    return f1(ConfusionCounts(*map(np.array, (errors, correct, 0.0, 0.0))))


def _measured(
    study: ComparisonStudy, judges: Sequence[Judge], twos: Sequence[Two]
) -> tuple[dict[str, RunQuality], Changes]:
    states = [run_state(judge.run) for judge in judges if judge.run]
    made_of = repr([gold_state(study.dataset, study.version), states, twos])
    key = f"stages-{hashlib.sha256(made_of.encode()).hexdigest()}"
    return cached(key, lambda: _measure(Measures(study), judges, twos))


def _measure(measures: Measures, judges: Sequence[Judge], twos: Sequence[Two]) -> tuple[dict[str, RunQuality], Changes]:
    changes = Changes(measures.f1_changes(judges, twos), measures.error_rate_changes(judges, twos))
    return measures.quality(judges), changes
