"""The computing of a large comparison or report, as a kind of work."""

from core.errors import DataError
from evaluators.comparison.figures import STEPS, compare
from evaluators.comparison.question import key_of, read_question
from evaluators.comparison.report import build_report, report_key
from evaluators.models import Comparison
from jobs.errors import ItemError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease

# In place of a question: the report of the leaderboard.
REPORT: dict[str, object] = {}


class ComparisonJob(SyncJobKind[Comparison]):
    """Computes the figures of a question, or a report. Where gold or a run has changed since they were asked for,
    they belong to another key, and the row is deleted.
    """

    name = "comparison"
    queue = Queue.SHORT
    items = Comparison
    related = ("dataset", "version")

    def execute(self, lease: Lease[Comparison]) -> None:
        row = lease.item
        if row.question == REPORT:
            lease.note(step="every evaluator at every level", steps=1)
            report = build_report(row.dataset, row.version.name if row.version else None)
            self._store(lease, report, 1, report_key(row.dataset, row.version))
            return

        def note(step: str) -> None:
            lease.note(step=step, done=STEPS.index(step), steps=len(STEPS))

        question = read_question(row.question)
        try:
            figures = compare(row.dataset, row.version, question, note)
        except DataError as error:  # an evaluator it names is gone
            raise ItemError(str(error)) from None
        self._store(lease, figures, len(STEPS), key_of(row.dataset, row.version, question))

    def _store(self, lease: Lease[Comparison], figures: object, done: int, key: str) -> None:
        if key == lease.item.key:
            lease.finish(figures=figures, done=done)
        else:
            lease.delete()
