"""The benchmark over every method, as it is called: what it prints of three of them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.field import WRONG
from tests.waiting import LONGEST

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("torch", reason="PyTorch is not installed: make neural")


def run_field(*methods):
    command = [sys.executable, "-m", "bench.field", "--methods", *methods]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST)


def rows_of(printed):
    """The figures of each row, as printed, by method and dataset."""
    head, *rows = printed.splitlines()
    assert head.split()[:5] == ["method", "dataset", "F1", "BA", "cover"]
    found = re.compile(r"(\S+) +(.+?) +([\d.–]+) +([\d.–]+) +([\d.–]+) +([\d,]+) +([\d,–]+) +([\d.–]+) +\S+ +\d+")
    return {match[1, 2]: match.groups()[2:] for row in rows if (match := found.fullmatch(row))}


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
    assert float(rows["nli", "biographies"][2]) == 1  # by the pages of the knowledge source
    assert rows["felm-segment", "biographies"][:3] == by_the_rule()
    calls, tokens, price = rows["felm-segment", "biographies"][3:]
    assert (int(calls), round(int(tokens.replace(",", "")) / 1e6, 4)) == (14, float(price))  # two of 16 abstain


def by_the_rule():
    """F1, balanced accuracy and coverage of the scripted model on the facts of the published files."""
    counts = {(called, wrong): 0 for called in (True, False) for wrong in (True, False)}
    for path in (ROOT / "fixtures").glob("demo_factscore_model-*.jsonl"):
        for row in map(json.loads, path.read_text().splitlines()):
            for sentence in row["annotations"] or ():
                for fact in sentence["human-atomic-facts"] or ():
                    called = re.search(WRONG, fact["text"], flags=re.IGNORECASE) is not None
                    counts[called, fact["label"] == "NS"] += fact["label"] != "IR"
    hit, false, missed, right = (counts[key] for key in ((True, True), (True, False), (False, True), (False, False)))
    accuracy = (hit / (hit + missed) + right / (right + false)) / 2
    return f"{2 * hit / (2 * hit + false + missed):.2f}", f"{accuracy:.2f}", "1.00"


def test_an_unknown_method_is_named():
    done = run_field("neither")
    assert (done.returncode, "No method is called neither." in done.stderr) == (1, True)
