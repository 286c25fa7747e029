"""The figures of the page: the chosen evaluators combined, beside the baselines and people."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotate.models import Dataset, GoldVersion
from core.caching import cached
from evaluators.combinations.candidates import alone, combine
from evaluators.combinations.measure import CombinationsOutcome, MeasuredCombination, measure, voice_of
from evaluators.combinations.page_state import CombinationsState, NamedSlice
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.slices import names_used, slicings
from evaluators.comparison.study import ComparisonStudy, gold_state
from evaluators.predictions.prices import Bills, read_bills
from evaluators.predictions.read import run_state
from stats.arrays import Flags
from stats.detection import CORRECT, ERROR, Level, f1, tally, undecided
from stats.ensembles import Answers


@dataclass(frozen=True)
class CombinationFigures:
    """outcome: of the chosen evaluators. baselines: the trivial ones, which are not combined. unknown: the keys of the
    chosen runs whose price the stored answers do not tell."""

    outcome: CombinationsOutcome
    baselines: list[MeasuredCombination]
    unknown: frozenset[int]


def evaluators_of(study: ComparisonStudy) -> list[Judge]:
    """Evaluators with an answer on gold, without the trivial ones, by F1 at the units' level, highest first; what they
    left open counts as wrong."""
    judges = [judge for judge in study.judges if judge.method not in TRIVIAL]
    level = gold_levels(study.table)[0]
    ranked = []
    for judge in judges:
        decisions = decisions_by_level(study.table, judge.predictions.units, judge.predictions.segments)[level.name]
        whole = tally(level.gold, decisions, np.zeros(len(decisions), dtype=np.int64), 1)
        if whole.predicted[0] or whole.unparsed[0]:
            ranked.append((-np.nan_to_num(f1(undecided(whole).worst())[0], nan=-1.0), judge.name, judge))
    return [judge for _, _, judge in sorted(ranked, key=lambda row: row[:2])]


def levels_of(study: ComparisonStudy) -> dict[str, Level]:
    return {level.name: level for level in gold_levels(study.table)}


def figures_of(study: ComparisonStudy, state: CombinationsState) -> CombinationFigures:
    """Computed once for each state of gold and of the runs, and each choice."""
    by_name = {judge.name: judge for judge in study.judges}
    judges = [by_name[name] for name in state.names]
    key = _key(study.dataset, study.version, judges, state)
    return cached(key, lambda: _compute(study, judges, state))


def _compute(study: ComparisonStudy, judges: Sequence[Judge], state: CombinationsState) -> CombinationFigures:
    level = levels_of(study)[state.level]
    counted = counted_in(study, level, state.part)
    bills = read_bills([judge.run for judge in judges], study.table, state.currency, state.prices)
    voices = [voice_of(judge, study.table) for judge in judges]
    candidates = combine(voices, state.settings, study.table.units.segment)
    outcome = measure(study, level, counted, voices, candidates, bills, state.limit)
    trivial = [judge for judge in study.judges if judge.method in TRIVIAL]
    return CombinationFigures(outcome, _baselines(study, level, counted, trivial), bills.unknown)


def _baselines(
    study: ComparisonStudy, level: Level, counted: Flags, judges: Sequence[Judge]
) -> list[MeasuredCombination]:
    """Measured like any evaluator, each by itself."""
    voices = [voice_of(judge, study.table) for judge in judges]
    nothing = np.empty(0, dtype=np.int64)
    free = Bills(tuple(Answers(nothing, nothing) for _ in judges), np.empty(0), frozenset())
    return measure(study, level, counted, voices, alone(voices), free, None).rows


def parts_of(study: ComparisonStudy) -> dict[str, list[NamedSlice]]:
    """The slices of each level that hold any of its units. Slices of errors only have no F1, and are left out."""
    parted = [slicing for slicing in slicings(study.table).values() if not slicing.only_recall]
    return {
        level: [
            NamedSlice(slicing.name, slicing.title, name)
            for slicing in parted
            if level in slicing.of
            for name in names_used(slicing, level)
        ]
        for level in levels_of(study)
    }


def counted_in(study: ComparisonStudy, level: Level, part: NamedSlice | None) -> Flags:
    """Which units of the level have gold and are in the slice."""
    has_gold: Flags = np.isin(level.gold, (CORRECT, ERROR))
    if part is None:
        return has_gold
    slicing = slicings(study.table)[part.slicing]
    in_slice: Flags = has_gold & (slicing.of[level.name] == slicing.names.index(part.name))
    return in_slice


def _key(dataset: Dataset, version: GoldVersion | None, judges: Sequence[Judge], state: CombinationsState) -> str:
    states = [run_state(judge.run) for judge in judges if judge.run]
    made_of = [gold_state(dataset, version), states, state.names, state.settings, state.level, state.part]
    made_of += [state.currency, state.limit, sorted(state.prices.items())]
    return f"combinations-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"
