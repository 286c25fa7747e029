"""Examples parted: by how far their completions lie apart (FACTOR table 2), and by whether their document was written
after the last text that a model was trained on (FACTOR §4.2)."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from stats.bootstrap import Floats, Ints

# Mean edit distances of an example up to each of these, and those beyond the last.
ENDS = (1.0, 2.0, 4.0)
STRATA = ("1 word or less", "more than 1, up to 2", "more than 2, up to 4", "more than 4")

BEFORE, AFTER, UNKNOWN = range(3)
SIDES = ("before", "after", "unknown")


def strata_of(distances: Floats) -> Ints:
    """The stratum of each example, a place in STRATA, by the mean distance of its false completions from the true."""
    return np.searchsorted(np.array(ENDS), distances, side="left")


def sides_of(dated: Sequence[date | None], cutoff: date | None) -> Ints:
    """The side of each example: AFTER where its document is dated later than the cut-off, BEFORE on that day and
    earlier, UNKNOWN where either date is not known."""
    return np.array(
        [UNKNOWN if day is None or cutoff is None else AFTER if day > cutoff else BEFORE for day in dated],
        dtype=np.int64,
    )
