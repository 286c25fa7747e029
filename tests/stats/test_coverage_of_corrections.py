"""The coverage of corrected figures that anyone can simulate: python -m bench.coverage."""

import numpy as np
import pytest

from bench.coverage.corrections import coverages
from bench.coverage.coverage import Effort


def test_every_world_gives_intervals():
    rows = list(coverages(Effort(samples=3, resamples=30)))
    assert len({row.name for row in rows}) == len(rows) == 29
    assert all(row.given and 0 <= row.held <= 1 for row in rows)
    assert [row.name for row in rows if np.isnan(row.simpler)] == [row.name for row in rows if not row.simply]


@pytest.mark.parametrize("part", ["10 labels", "±"])
def test_a_row_reads_as_one_line(part):
    row = next(coverages(Effort(samples=3, resamples=30)))
    assert part in str(row)
    assert "\n" not in str(row)
