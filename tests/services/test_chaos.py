"""The kill rounds of bench/chaos: a few of them, and that a loss would be seen."""

import subprocess
import sys
from collections import Counter

from bench.chaos.__main__ import tell
from bench.chaos.annotator import PatientAnnotator
from tests.services.conftest import ROOT

PREDICTIONS = [["1", 0, None, "supported", None, "", False]]


def test_nothing_acknowledged_is_lost() -> None:
    command = [sys.executable, "-m", "bench.chaos", "--rounds", "3", "--people", "2", "--database", "SQLite"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "at work: 2 processes of the web server, 3 workers" in done.stdout
    assert "as undisturbed: True" in done.stdout


def person(saved: dict[int, int], submitted: dict[int, int]) -> PatientAnnotator:
    """Told that these are kept: a save's number by task, and units by submitted task."""
    person = PatientAnnotator(1, "ada", 0)
    person.acknowledged.saved, person.acknowledged.submitted = saved, submitted
    return person


def lost(
    saved: dict[str, int],
    submitted: dict[str, int],
    predictions: list[list[object]] = PREDICTIONS,
    unreachable: tuple[str, ...] = (),
) -> int:
    """Of what Ada was told, where the database holds this."""
    kept = {"saved": {"ada": saved}, "submitted": {"ada": submitted}, "predictions": predictions, "double": 0}
    kept |= {"tasks": 3, "unreachable": unreachable}
    return tell([person({0: 5, 1: 3}, {2: 4})], Counter(), kept, PREDICTIONS)


def test_what_is_kept_is_not_lost() -> None:
    assert lost({"0": 5, "1": 4}, {"2": 4}) == 0


def test_a_submission_takes_the_place_of_a_save() -> None:
    assert lost({"0": 5}, {"1": 2, "2": 4}) == 0


def test_a_lost_save_is_seen() -> None:
    assert lost({"0": 4, "1": 3}, {"2": 4}) == 1


def test_half_a_submission_is_seen() -> None:
    assert lost({"0": 5, "1": 3}, {"2": 3}) == 1


def test_another_prediction_is_seen() -> None:
    assert lost({"0": 5, "1": 3}, {"2": 4}, [["1", 0, None, "not_supported", None, "", False]]) == 1


def test_a_task_that_nobody_can_come_to_is_seen() -> None:
    assert lost({"0": 5, "1": 3}, {"2": 4}, unreachable=("task 4 is not served",)) == 1
