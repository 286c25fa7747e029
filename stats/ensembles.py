"""Several judges taken as one: ensembles and cascades over decisions that they have made already.

Arrays of decisions (detection.py) at the same units (N,). What the rule cannot settle keeps its third outcome: unparsed
or missing is never taken for correct, and where the known decisions settle it the others need not be known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Decisions


def at_least(decisions: Sequence[Decisions], needed: int) -> Decisions:
    """An error where at least `needed` of the judges call it one, whatever those without a decision would have said;
    correct where they cannot be so many any more. Elsewhere unparsed if any of them is, else missing.

    needed = 1: supported only if all say so. needed = number of judges: an error only if all say so.
    """
    stacked = np.stack(decisions)
    errors = (stacked == ERROR).sum(axis=0)
    possible = errors + np.isin(stacked, (UNPARSED, MISSING)).sum(axis=0)
    unknown = np.where((stacked == UNPARSED).any(axis=0), UNPARSED, MISSING)
    combined: Decisions = np.where(errors >= needed, ERROR, np.where(possible < needed, CORRECT, unknown))
    return combined.astype(np.int8)


def majority(judges: int, ties_are_errors: bool) -> int:
    """How many judges have to call a unit an error for the majority to do so; of an even number half may tie."""
    return (judges + 1) // 2 if ties_are_errors else judges // 2 + 1


def unsure(decisions: Decisions, scores: Floats, sure: float) -> Flags:
    """Where a decision's confidence max(score, 1 - score) is below `sure`; without a score nothing says that it is
    sure. scores: the probability of supported, nan where there is none."""
    confident = np.maximum(scores, 1 - scores) >= sure
    return np.isin(decisions, (CORRECT, ERROR)) & ~confident


def cascade(first: Decisions, second: Decisions, asked: Flags) -> Decisions:
    """The second judge's outcome where it is asked, decided or not; elsewhere the first's."""
    return np.where(asked, second, first)


@dataclass(frozen=True)
class Answers:
    """One judge's answers: `unit` and `call` (A,) say which unit was read from which call, calls numbered over all
    judges. flat: what a unit costs that no call tells: 0 where nothing is paid, nan where it is not known."""

    unit: Ints
    call: Ints
    flat: float = 0.0


def total(members: Sequence[tuple[Answers, Flags]], amounts: Floats) -> float:
    """What it takes to ask each member at its units (N,). amounts: of each call, tokens or US dollars, nan if unknown;
    the total is unknown (nan) as soon as one of its parts is."""
    paid = np.zeros(len(amounts), dtype=np.bool_)
    flat = 0.0
    for answers, asked in members:
        paid[answers.call[asked[answers.unit]]] = True
        flat += answers.flat * float(asked.sum()) if asked.any() else 0.0
    return float(amounts[paid].sum()) + flat
