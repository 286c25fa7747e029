"""A process of its own for test_run_faults: four would end a run at the same instant, each in another way.

Prints each end with the number of rounds that came to it. Fails where a round had more or less than one winner, or
where the run does not say what the winner wrote.
"""

import sys
from collections import Counter
from collections.abc import Callable

import django

django.setup()


from evaluators.models import Run, RunItem  # noqa: E402
from evaluators.runs.create import create_run  # noqa: E402
from evaluators.runs.run_job import finish_run  # noqa: E402
from jobs.errors import JobError  # noqa: E402
from llm.errors import BudgetSpentError  # noqa: E402
from tests.factories import make_dataset, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402

ENDS: dict[str, Callable[[Run], bool]] = {
    "finished": finish_run,
    "failed": lambda run: run.stop_with(JobError("failed")),
    "cancelled": Run.stop,
    "out_of_budget": lambda run: run.stop_with(BudgetSpentError("out_of_budget")),
}


class Round:
    def __init__(self) -> None:
        dataset = make_dataset()
        make_response(dataset)
        self.run = create_run(dataset, "always-supported").run
        self.run.items.update(state=RunItem.State.DONE)
        self.won: list[str] = []
        self.ended: Counter[str] = Counter()

    def prepare(self) -> None:
        self.look()
        Run.objects.filter(pk=self.run.pk).update(state=Run.State.RUNNING, error="", finished_at=None, manifest={})

    def end(self, name: str) -> None:
        if ENDS[name](self._fetch()):
            self.won.append(name)

    def look(self) -> None:
        """Count the last round, and let all four come once more, too late."""
        if not self.won:
            return
        [winner] = self.won
        written = self._written()
        assert written[:2] == (winner, winner if winner in ("failed", "out_of_budget") else "")
        assert ("outcome" in written[3]) == (winner == "finished")
        assert not any(end(self._fetch()) for end in ENDS.values())
        assert self._written() == written
        self.ended[winner] += 1
        self.won.clear()

    def _fetch(self) -> Run:
        return Run.objects.get(pk=self.run.pk)

    def _written(self) -> tuple[object, ...]:
        return Run.objects.values_list("state", "error", "finished_at", "manifest").get(pk=self.run.pk)


if __name__ == "__main__":
    one = Round()
    race(int(sys.argv[1]), one.prepare, *(lambda name=name: one.end(name) for name in ENDS))  # type: ignore[misc]
    one.look()
    for name, rounds in one.ended.items():
        print(name, rounds)
