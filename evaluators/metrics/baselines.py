"""The three trivial baselines: what a judge that knows nothing says, and how it fares.

See docs/statistics.md, Error detection.
"""

import hashlib

import numpy as np
from annotate.agreement.resampling import Floats, Ints

from evaluators.metrics.detection import CORRECT, ERROR, Counts, Decisions

SUPPORTED = "supported"
NOT_SUPPORTED = "not_supported"
RANDOM_SEED = 20231


def random_value(seed: int, index: str, segment: int, fact: int | None) -> str:
    """The seeded draw of the random baseline at an address, an error with P = 0.5.

    The draw depends on the address alone, so it is the same in whatever order or part a data set is judged.
    """
    address = f"{seed}\x1f{index}\x1f{segment}\x1f{'' if fact is None else fact}"
    return NOT_SUPPORTED if hashlib.sha256(address.encode()).digest()[0] & 1 else SUPPORTED


def chance_of_error(parts: Ints) -> Floats:
    """How likely a random judge calls a whole an error that has so many parts: one called so is enough."""
    chances: Floats = 1 - 0.5 ** parts.astype(np.float64)
    return chances


def expected_counts(gold: Decisions, chance: Floats, group: Ints, groups: int) -> Counts:
    """The counts to expect of each group (groups,) where each unit (N,) is called an error with its `chance`."""

    def total(gold_code: int, shares: Floats) -> Floats:
        units = gold == gold_code
        return np.bincount(group[units], weights=shares[units], minlength=groups).astype(np.float64)

    return Counts(
        tp=total(ERROR, chance), fp=total(CORRECT, chance), fn=total(ERROR, 1 - chance), tn=total(CORRECT, 1 - chance)
    )
