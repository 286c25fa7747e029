"""Outside evaluators as processes."""

import subprocess
import sys

from tests.client.conftest import ROOT


def start_evaluator(environment: dict[str, str], dataset: str, group: int, **more: str) -> subprocess.Popen[str]:
    """Judge the dataset by `slow_judge`, `group` cases at a time, each group leased for three seconds.

    more: variables that tell the judge where it hangs.
    """
    words = ["evaluate-outside", "tests.client.slow_judge:judge", "--dataset", dataset]
    words += ["--group", str(group), "--lease-seconds", "3"]
    return subprocess.Popen(
        [sys.executable, "-m", "touchstone", *words],
        cwd=ROOT,
        env={**environment, **more},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
