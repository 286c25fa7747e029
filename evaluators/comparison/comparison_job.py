"""The computing of a large comparison, its people, or a report, as a kind of work."""

from typing import Any

from core.errors import DataError
from evaluators.comparison.figures import STEPS, compare
from evaluators.comparison.people import describe_people
from evaluators.comparison.question import key_of, people_key_of, read_people_question, read_question
from evaluators.comparison.report import build_report, report_key
from evaluators.models import Comparison
from jobs.errors import ItemError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease

# In place of a question: the report of the leaderboard; under PEOPLE the question of people beside evaluators.
REPORT: dict[str, object] = {}
PEOPLE = "people"


class ComparisonJob(SyncJobKind[Comparison]):
    """Computes the figures of a question, those of people beside evaluators, or a report. Where gold, a label or a run
    has changed meanwhile, they are kept for those who asked for them, and nobody finds them by their key.
    """

    name = "comparison"
    queue = Queue.SHORT
    items = Comparison
    related = ("dataset", "version")

    def execute(self, lease: Lease[Comparison]) -> None:
        question = lease.item.question
        try:
            if question == REPORT:
                self._report(lease)
            elif PEOPLE in question:
                self._describe_people(lease, question[PEOPLE])
            else:
                self._compare(lease, question)
        except DataError as error:  # an evaluator it names is gone
            raise ItemError(str(error)) from None

    def _report(self, lease: Lease[Comparison]) -> None:
        row = lease.item
        lease.note(step="every evaluator at every level", steps=1)
        report = build_report(row.dataset, row.version.name if row.version else None)
        self._store(lease, report, 1, report_key(row.dataset, row.version))

    def _describe_people(self, lease: Lease[Comparison], fields: dict[str, Any]) -> None:
        row, question = lease.item, read_people_question(fields)
        lease.note(step="people and evaluators on the same targets", steps=1)
        people = describe_people(row.dataset, row.version, question)
        self._store(lease, people, 1, people_key_of(row.dataset, row.version, question))

    def _compare(self, lease: Lease[Comparison], fields: dict[str, Any]) -> None:
        row, question = lease.item, read_question(fields)

        def note(step: str) -> None:
            lease.note(step=step, done=STEPS.index(step), steps=len(STEPS))

        figures = compare(row.dataset, row.version, question, note)
        self._store(lease, figures, len(STEPS), key_of(row.dataset, row.version, question))

    def _store(self, lease: Lease[Comparison], figures: object, done: int, key: str) -> None:
        kept_as = key if key == lease.item.key else f"overtaken-{lease.item.pk}"
        lease.finish(figures=figures, done=done, key=kept_as)
