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
    """The units with gold that were not looked at, row by row of the table.

    judged: the number of the chosen evaluators that decided each; against: the number of these that contradict its
    gold. reachable: enough annotators have not had its task, so it can be sent. looked_at: the number of units that
    were looked at before.
    """

    row: Ints
    gold: Decisions
    judged: Ints
    against: Ints
    reachable: Flags
    looked_at: int

    def contradicted(self, least: int) -> Flags:
        """The units that at least so many evaluators contradict, whether or not they can be sent."""
        enough: Flags = self.against >= least
        return enough

    def candidates(self, least: int) -> Ints:
        """Places of the contradicted units that can be sent."""
        return np.flatnonzero(self.contradicted(least) & self.reachable)

    def controls(self, least: int) -> Ints:
        """Places of the units that can be sent and that at least so many evaluators decided, all of them as gold
        does."""
        return np.flatnonzero((self.against == 0) & (self.judged >= least) & self.reachable)


def evaluators_of(study: ComparisonStudy) -> list[AuditEvaluator]:
    """Every evaluator of the study but the trivial ones, the best first; one under two names counts once."""
    table = study.table
    gold = decide(table.units.value)
    error = decide(baseline_predictions(ALWAYS_NOT_SUPPORTED, table).units)
    counted = judged_in_relevant(table)
    judges = [judge for judge in study.judges if judge.method not in TRIVIAL and not judge.same_as]
    decisions = [decide(np.stack([run.units for run in judge.repeats]))[:, counted] for judge in judges]
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
        tallied = tally(gold[counted], of_judge, np.zeros(of_judge.shape[1], dtype=np.int64), 1)
        evaluators.append(AuditEvaluator(judge, int(tallied.predicted[0]), int(tallied.n[0]), margin))
    return sorted(evaluators, key=lambda each: (each.margin.f1 is None, -(each.margin.f1 or 0.0), each.judge.name))


def units_of(study: ComparisonStudy, judges: Sequence[Judge], wants: int) -> AuditUnits:
    """Units with gold that were not looked at since their gold holds; those that `wants` annotators may look at are
    reachable."""
    table = study.table
    gold = decide(table.units.value)
    known_gold = np.isin(gold, (CORRECT, ERROR)) & judged_in_relevant(table)
    decisions = np.array([decide(judge.predictions.units) for judge in judges]).reshape(len(judges), len(gold))
    decided = np.isin(decisions, (CORRECT, ERROR))
    before = _looked_at(table, study.dataset)
    rows = np.flatnonzero(known_gold & ~before)
    return AuditUnits(
        row=rows,
        gold=gold[rows],
        judged=decided[:, rows].sum(axis=0),
        against=(decided & (decisions != gold))[:, rows].sum(axis=0),
        reachable=_reachable(table, study.dataset, wants)[rows],
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
