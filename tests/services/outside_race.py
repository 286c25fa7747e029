"""A process of its own for test_outside: programs race for the cases of a run, a connection each. Prints what came of
it: its state, cases given, cases stored, cases lost, predictions, units with one.

    python -m tests.services.outside_race CASES PROGRAMS
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import django

django.setup()

from django.db import connection  # noqa: E402

from evaluators.models import Run  # noqa: E402
from evaluators.runs.outside import (  # noqa: E402
    SentCase,
    SentJudgement,
    create_outside_run,
    lease_cases,
    receive_cases,
)
from tests.factories import make_dataset, make_response  # noqa: E402

A_GROUP = 3


def judge_all(run: Run, together: Barrier) -> tuple[int, int, int]:
    """Cases that this program was given, stored and lost. Each group is sent twice, as after a lost answer."""
    given = stored = lost = 0
    try:
        together.wait(60)
        while (leased := lease_cases(run, A_GROUP)).cases:
            sent = [
                SentCase(case.index, {(unit.segment, unit.fact): SentJudgement("supported") for unit in case.units})
                for case in leased.cases
            ]
            given += len(sent)
            for _ in range(2):
                received = receive_cases(run, leased.owner, sent)
                stored += received.stored
                lost += len(received.lost)
    finally:
        connection.close()
    return given, stored, lost


if __name__ == "__main__":
    cases, programs = map(int, sys.argv[1:])
    dataset = make_dataset("lab")
    for _ in range(cases):
        make_response(dataset)
    run = create_outside_run(dataset, "outside").run
    run = Run.objects.select_related("dataset", "evaluator").get(pk=run.pk)
    together = Barrier(programs)
    with ThreadPoolExecutor(programs) as threads:
        totals = [
            sum(each) for each in zip(*threads.map(lambda _: judge_all(run, together), range(programs)), strict=True)
        ]
    run.refresh_from_db()
    predictions = run.predictions.values_list("segment", flat=True)
    print(run.state, *totals, len(predictions), len(set(predictions)))
