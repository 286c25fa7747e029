"""Corrects the scores that a run gives the subject models for its known errors.

See docs/statistics.md, Corrections, thresholds, calibration.
"""

import numpy as np

from evaluators.comparison.study import table_of
from evaluators.methods.factscore_facts import JUDGED, facts_of
from evaluators.models import Run
from evaluators.predictions.read import read_predictions
from stats.arrays import Flags, Floats, number
from stats.bootstrap import Resampling
from stats.corrected_factscore import Corrections, describe_corrections
from stats.estimated_factscore import EstimatedResponses
from stats.factscore_estimation import JudgedShares, judged_shares
from stats.gold_table import NO_GOLD, SUPPORTED, GoldTable


def correct_run(run: Run, covered: EstimatedResponses) -> Corrections | None:
    """describe_corrections against gold in force; None where the dataset has no gold.

    covered: the run's counts of each response (read_responses); these are the first of gold's table.
    """
    table = table_of(run.dataset, None)
    if not (table.units.value != NO_GOLD).any():
        return None
    subjects, subject = number(table.responses.subject)
    shares = _shares(run, covered, table)
    return describe_corrections(shares, subject, subjects, table.responses.prompt, Resampling(table.strata))


def _shares(run: Run, covered: EstimatedResponses, table: GoldTable) -> JudgedShares:
    """Facts that people did not judge have no gold: then only whole responses can be compared."""
    responses = len(table.responses.key)
    answered: Flags = _stretched(covered.responding.astype(np.float64), responses, 0.0) > 0
    gold, counted = table.units.value, answered[table.response_of_unit]
    own = facts_of(run.evaluator.parameters) != JUDGED
    predicted = np.full(len(gold), NO_GOLD) if own else read_predictions(run, table).units
    shares = judged_shares(
        response=table.response_of_unit,
        responses=responses,
        gold_known=(gold != NO_GOLD) & counted,
        gold=gold == SUPPORTED,
        judged=(predicted >= 0) & counted,
        called=predicted == SUPPORTED,
    )
    estimated = _stretched(covered.scores(None), responses, np.nan)
    return JudgedShares(shares.gold, estimated, shares.both, shares.over, shares.under)


def _stretched(column: Floats, rows: int, rest: float) -> Floats:
    """The column with `rest` for the responses that the run does not cover."""
    return np.concatenate([column, np.full(rows - len(column), rest)])
