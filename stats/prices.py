"""What judges' answers cost: an answer that several units, or several judges, were read from is paid for once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.bootstrap import Flags, Floats, Ints


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
