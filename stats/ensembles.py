"""Several judges taken as one: ensembles and cascades over decisions already made, and the price of asking them.

Decisions are arrays (N,) at the same units. A unit that the rule cannot settle keeps its third outcome: unparsed or
missing is never taken for correct, and where the known decisions settle it the others need not be known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Decisions


def at_least(decisions: Sequence[Decisions], needed: int) -> Decisions:
    """An error where at least `needed` judges call it one, independent of those without a decision.

    It is correct where they cannot be so many any more; elsewhere unparsed if any of them is, else missing. needed = 1:
    supported only if all say so. needed = number of judges: an error only if all say so.
    """
    stacked = np.stack(decisions)
    errors = (stacked == ERROR).sum(axis=0)
    possible = errors + np.isin(stacked, (UNPARSED, MISSING)).sum(axis=0)
    unknown = np.where((stacked == UNPARSED).any(axis=0), UNPARSED, MISSING)
    combined: Decisions = np.where(errors >= needed, ERROR, np.where(possible < needed, CORRECT, unknown))
    return combined.astype(np.int8)


def majority(judges: int, ties_are_errors: bool) -> int:
    """The number of judges that make a majority for error; half of an even number may tie."""
    return (judges + 1) // 2 if ties_are_errors else judges // 2 + 1


def unsure(decisions: Decisions, scores: Floats, sure: float) -> Flags:
    """Whether the confidence max(score, 1 − score) of each decision is below `sure`; it is, where there is no score.

    Parameters
    ----------
    decisions : (N,) int8
    scores : (N,)
        Probability of supported, nan where there is none.
    sure : float
    """
    confident = np.maximum(scores, 1 - scores) >= sure
    return np.isin(decisions, (CORRECT, ERROR)) & ~confident


def cascade(first: Decisions, second: Decisions, passed_on: Flags) -> Decisions:
    """The second judge's outcome where it is asked, decided or not; elsewhere the first's."""
    return np.where(passed_on, second, first)


@dataclass(frozen=True)
class Answers:
    """Answers of one judge.

    Attributes
    ----------
    unit, call : (A,) int
        The unit that was read from each call; calls are numbered over all judges.
    flat : float
        Price of a unit beside its calls: 0 where nothing is paid, nan where it is not known.
    """

    unit: Ints
    call: Ints
    flat: float = 0.0


def total(members: Sequence[tuple[Answers, Flags]], amounts: Floats) -> float:
    """The price of asking each member at its units; an answer that several units or judges were read from is paid once.

    Parameters
    ----------
    members : answers of each, and the units (N,) at which it is asked
    amounts : (calls,)
        Tokens or US dollars of each call, nan if unknown.

    Returns
    -------
    nan as soon as one of the parts is unknown.
    """
    paid = np.zeros(len(amounts), dtype=np.bool_)
    flat = 0.0
    for answers, units in members:
        paid[answers.call[units[answers.unit]]] = True
        flat += answers.flat * float(units.sum()) if units.any() else 0.0
    return float(amounts[paid].sum()) + flat
