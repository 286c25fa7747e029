"""Evaluators of your own: a function that judges a case, and everything around it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from touchstone.cases import Case, Claim, JudgedCase, Judgement, Lease
from touchstone.clients import Touchstone
from touchstone.errors import ConflictError, TouchstoneError
from touchstone.values import Run

Outcome = Judgement | Claim
Judge = Callable[[Case], Iterable[Outcome]]
Heard = Callable[[int, str], object]
"""Called after each group with the number of cases judged so far and the state of the run."""

LEASE_SECONDS = 60.0
# While others hold all that is left.
LOOK_AGAIN_SECONDS = 2.0


@dataclass(frozen=True)
class Evaluator:
    """A judge with a name. `evaluator` makes one of a function; called it is still that function.

    parameters: all that is fixed before a run, so that the same name always means the same. extracts: it gives claims
    of its own, and without a judgement the server judges the units by them.
    """

    judge: Judge
    name: str
    model: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extracts: bool = False

    def __call__(self, case: Case) -> Iterable[Outcome]:
        return self.judge(case)

    def run(
        self,
        url: str,
        token: str,
        dataset: str,
        *,
        group: int = 10,
        lease_seconds: float = LEASE_SECONDS,
        limit: int | None = None,
        anew: bool = False,
        progress: Heard | None = None,
    ) -> Run:
        """Judge every case of the dataset, and return the run once it has ended.

        Started several times, on as many machines, the programs share the cases; of one that is killed, others take
        over the cases once its lease has run out. group: cases of one lease. The same run is not done twice unless
        `anew`. What the judge raises fails its case, which is tried three times.
        """
        with Touchstone(url, token) as touchstone:
            run = touchstone.outside_run(
                touchstone.dataset(dataset),
                self.name,
                model=self.model,
                parameters=self.parameters,
                limit=limit,
                anew=anew,
            )
            return self._work(touchstone, run, group, lease_seconds, progress)

    def _work(self, touchstone: Touchstone, run: Run, group: int, lease_seconds: float, progress: Heard | None) -> Run:
        judged = 0
        while True:
            lease = touchstone.lease(run, group, lease_seconds)
            if lease.cases:
                with _renewed(touchstone, run, lease, lease_seconds):
                    cases = [self._judge(case) for case in lease.cases]
                lost = touchstone.send_judgements(run, lease, cases)
                judged += len(cases) - len(lost)
            elif (run := touchstone.run(run.id)).is_active:
                time.sleep(LOOK_AGAIN_SECONDS)
            else:
                return run
            if progress is not None:
                progress(judged, lease.state)

    def _judge(self, case: Case) -> JudgedCase:
        try:
            outcomes = list(self.judge(case))
        except Exception as error:  # noqa: BLE001 - whatever the function raises fails its case alone
            return JudgedCase(case.index, error=f"{type(error).__name__}: {error}")
        claims = [each for each in outcomes if isinstance(each, Claim)]
        judgements = [each for each in outcomes if not isinstance(each, Claim)]
        return JudgedCase(case.index, judgements, claims=claims if claims or self.extracts else None)


def evaluator(
    name: str, *, model: str = "", parameters: Mapping[str, Any] | None = None, extracts: bool = False
) -> Callable[[Judge], Evaluator]:
    """Make an evaluator of a function.

    @evaluator("hopeful", parameters={"version": 1})
    def hopeful(case):
        return [Judgement(unit, "supported", score=0.9) for unit in case.units]

    With `extracts` the function gives each `Claim` that it finds in the response, none being none.
    """
    return lambda judge: Evaluator(judge, name, model, dict(parameters or {}), extracts)


@contextmanager
def _renewed(touchstone: Touchstone, run: Run, lease: Lease, seconds: float) -> Iterator[None]:
    """Lengthen the lease as long as the block lasts, from a thread of its own."""
    over = Event()

    def renew() -> None:
        while not over.wait(seconds / 3):
            try:
                touchstone.renew(run, lease, seconds)
            except ConflictError:
                return  # others have the cases
            except TouchstoneError:
                continue  # out of reach for now

    thread = Thread(target=renew, name="touchstone-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
