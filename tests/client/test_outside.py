"""Outside evaluators as processes: one is killed in the middle, another finishes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT
from tests.client.processes import start_evaluator
from tests.waiting import LONGEST, wait_until

CASES = 12
MAKE_DATASET = f"""
from annotate.models import User
from tests.factories import make_dataset, make_person, make_response
dataset = make_dataset()
make_person("dora", dataset, "adjudicator")
for _ in range({CASES}):
    make_response(dataset)
"""
PREDICTIONS = """
from evaluators.models import Run
run = Run.objects.get()
judged = run.predictions
print(run.state, run.items.done().count(), judged.count(), judged.values("segment").distinct().count())
print(*sorted(set(judged.values_list("rationale", flat=True))))
"""


def test_what_a_killed_evaluator_held_is_judged_by_another(
    site: Site, environment: dict[str, str], tmp_path: Path
) -> None:
    site.run_script(MAKE_DATASET)
    hanging = tmp_path / "hanging"
    # In its second group: of the first, four cases are stored; three of the second are judged and not sent.
    killed = start_evaluator(environment, "lab", 4, HANGS_AT="7", HANGING=str(hanging))
    wait_until(hanging.exists, "it hangs", LONGEST)
    killed.kill()
    killed.communicate()
    other = start_evaluator(environment, "lab", 4)
    printed, told = other.communicate(timeout=LONGEST)
    assert other.returncode == 0, told
    assert printed.endswith("slow: finished.\n")
    first, judges = site.run_script(PREDICTIONS).splitlines()[-2:]
    assert first.split() == ["finished", str(CASES), str(2 * CASES), str(2 * CASES)]
    assert len(judges.split()) == 2
    # The four that nobody had taken, then the four of the lease that ran out.
    assert [int(line) for line in told.splitlines() if line.isdecimal()] == [8, 9, 10, 11, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["evaluate-outside", "no_such_module:judge", "--dataset", "lab"], "No module named 'no_such_module'"),
        (["evaluate-outside", "tests.client.slow_judge", "--dataset", "lab"], "is no MODULE:FUNCTION"),
        (["evaluate-outside", "tests.client.slow_judge:judge", "--dataset", "x"], "There is no dataset 'x'"),
    ],
)
def test_what_is_wrong_is_one_sentence(environment: dict[str, str], words: list[str], sentence: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "touchstone", *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr
