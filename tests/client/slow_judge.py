"""An evaluator that is killed in the middle: it says how far it is, and hangs where a file tells it to."""

import os
import sys
import threading
from pathlib import Path

from touchstone import Case, Judgement, evaluator

HANGS_AT = os.environ.get("HANGS_AT")


@evaluator("slow", parameters={"version": 1})
def judge(case: Case) -> list[Judgement]:
    if case.index == HANGS_AT:
        Path(os.environ["HANGING"]).touch()
        threading.Event().wait()
    print(case.index, file=sys.stderr)
    return [Judgement(unit, "supported", score=0.9, rationale=f"{os.getpid()}", tokens=3) for unit in case.units]
