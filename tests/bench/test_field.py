"""The benchmark over every method, as it is called: what it prints of three of them."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.waiting import LONGEST

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed: make neural")


def run_field(*methods):
    command = [sys.executable, "-m", "bench.field", "--methods", *methods]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # beside other tests more threads wait for each other
    return subprocess.run(command, cwd=ROOT, env=one_thread, capture_output=True, text=True, timeout=LONGEST)


def rows_of(printed):
    """The figures of each row, as printed, by method and dataset."""
    head, *rows = printed.splitlines()
    assert head.split()[:5] == ["method", "dataset", "F1", "BA", "cover"]
    found = re.compile(r"(\S+) +(.+?) +([\d.–]+) +([\d.–]+) +([\d.–]+) +([\d,]+) +([\d,–]+) +([\d.–]+) +\S+ +\d+")
    return {match.group(1, 2): match.groups()[2:] for row in rows if (match := found.fullmatch(row))}


def test_each_method_has_a_row_for_each_dataset_that_it_judges():
    done = run_field("always-not-supported", "nli", "felm-segment")
    assert done.returncode == 0, done.stderr
    rows = rows_of(done.stdout)
    everywhere = ["five domains", "biographies", "claims"]
    assert list(rows) == [
        *(("always-not-supported", name) for name in everywhere),
        *(("nli", name) for name in everywhere),
        *(("felm-segment", name) for name in everywhere[:2]),
    ]
    # Of 13 claims with gold, 7 are not supported: precision 7/13, recall 1, F1 14/20.
    assert rows["always-not-supported", "claims"][:3] == ("0.70", "0.50", "1.00")
    assert float(rows["nli", "biographies"][2]) > 0.9  # by the pages of the knowledge source
    assert all(0 < float(rows["felm-segment", name][0]) < 1 for name in everywhere[:2])


def test_an_unknown_method_is_named():
    done = run_field("neither")
    assert (done.returncode, "No method is called neither." in done.stderr) == (1, True)
