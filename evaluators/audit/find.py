"""Units for a second look: those at which several good evaluators contradict gold, and controls beside them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from django.conf import settings

from annotate.cases.addresses import Address
from annotate.models import Dataset
from annotate.second_look.send import looked_at, lookers_by_response, under_way
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED, TRIVIAL, Judge, baseline_predictions
from evaluators.comparison.levels import decide, judged_in_relevant
from evaluators.comparison.study import ComparisonStudy
from stats.arrays import Flags, Ints
from stats.baselines import Margin, margins
from stats.detection import CORRECT, ERROR, Decisions, tally
from stats.gold_table import GoldTable


@dataclass(frozen=True)
class AuditEvaluator:
    """An evaluator that may contradict gold: the margin of its F1 above calling everything an error, the trivial
    baseline (docs/statistics.md, Error detection). It is good where a comparison says that it is better than that."""

    judge: Judge
    predicted: int
    n: int
    margin: Margin

    @property
    def is_good(self) -> bool:
        return self.margin.is_above


@dataclass(frozen=True)
class AuditUnits:
    """The units with gold that may be sent, row by row of the table.

    judged: the number of the chosen evaluators that decided each; against: the number of these that contradict its
    gold. unreachable: the number of further units with too few annotators who have not had their task; looked_at: the
    number of units that were looked at before.
    """

    row: Ints
    gold: Decisions
    judged: Ints
    against: Ints
    unreachable: int
    looked_at: int

    def candidates(self, least: int) -> Ints:
        """Places of the units that at least so many evaluators contradict."""
        return np.flatnonzero(self.against >= least)

    def controls(self, least: int) -> Ints:
        """Places of the units that at least so many evaluators decided, all of them as gold does."""
        return np.flatnonzero((self.against == 0) & (self.judged >= least))


def evaluators_of(study: ComparisonStudy) -> list[AuditEvaluator]:
    """Every evaluator of the study but the trivial ones, the best first."""
    table = study.table
    gold = decide(table.units.value)
    error = decide(baseline_predictions(ALWAYS_NOT_SUPPORTED, table).units)
    counted = judged_in_relevant(table)
    judges = [judge for judge in study.judges if judge.method not in TRIVIAL]
    decisions = [decide(judge.predictions.units)[counted] for judge in judges]
    above = margins(
        gold[counted],
        decisions,
        error[counted],
        table.prompt_of_unit[counted],
        study.resampling,
        settings.LEAST_COVERAGE,
    )
    evaluators = []
    for judge, of_judge, margin in zip(judges, decisions, above, strict=True):
        tallied = tally(gold[counted], of_judge, np.zeros(len(of_judge), dtype=np.int64), 1)
        evaluators.append(AuditEvaluator(judge, int(tallied.predicted[0]), int(tallied.n[0]), margin))
    return sorted(evaluators, key=lambda each: (each.margin.f1 is None, -(each.margin.f1 or 0.0), each.judge.name))


def units_of(study: ComparisonStudy, judges: Sequence[Judge], wants: int) -> AuditUnits:
    """Units with gold that `wants` annotators may look at, and that were not looked at since their gold holds."""
    table = study.table
    gold = decide(table.units.value)
    known_gold = np.isin(gold, (CORRECT, ERROR)) & judged_in_relevant(table)
    decisions = np.array([decide(judge.predictions.units) for judge in judges]).reshape(len(judges), len(gold))
    decided = np.isin(decisions, (CORRECT, ERROR))
    before = _looked_at(table, study.dataset)
    reachable = _reachable(table, study.dataset, wants)
    rows = np.flatnonzero(known_gold & ~before & reachable)
    return AuditUnits(
        row=rows,
        gold=gold[rows],
        judged=decided[:, rows].sum(axis=0),
        against=(decided & (decisions != gold))[:, rows].sum(axis=0),
        unreachable=int((known_gold & ~before & ~reachable).sum()),
        looked_at=int((known_gold & before).sum()),
    )


def addresses_of(table: GoldTable, rows: Collection[int]) -> list[Address]:
    """Primary keys of segment and fact (None where segments are judged) of rows of the table's units."""
    return [
        (int(table.segments.key[table.units.segment[row]]), int(table.units.fact[row]) if table.of_facts else None)
        for row in rows
    ]


def _looked_at(table: GoldTable, dataset: Dataset) -> Flags:
    known_addresses = looked_at(dataset) | under_way(dataset)
    every = addresses_of(table, range(len(table.units.segment))) if known_addresses else []
    return np.array([address in known_addresses for address in every] or np.zeros(len(table.units.segment)), np.bool_)


def _reachable(table: GoldTable, dataset: Dataset, wants: int) -> Flags:
    lookers = lookers_by_response(dataset)
    of_response = np.array([lookers.get(key, 0) for key in table.responses.key.tolist()], dtype=np.int64)
    enough: Flags = of_response[table.response_of_unit] >= wants
    return enough
