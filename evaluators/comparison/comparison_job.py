"""The computing of a large comparison, as a kind of work."""

from core.errors import DataError
from evaluators.comparison.figures import STEPS, compare
from evaluators.comparison.question import key_of, read_question
from evaluators.models import Comparison
from jobs.errors import ItemError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease


class ComparisonJob(SyncJobKind[Comparison]):
    """Computes the figures. Where gold or a run has changed since they were asked for, they belong to another key, and
    the row is deleted."""

    name = "comparison"
    queue = Queue.SHORT
    items = Comparison
    related = ("dataset", "version")

    def execute(self, lease: Lease[Comparison]) -> None:
        row = lease.item

        def note(step: str) -> None:
            lease.note(step=step, done=STEPS.index(step), steps=len(STEPS))

        question = read_question(row.question)
        try:
            figures = compare(row.dataset, row.version, question, note)
        except DataError as error:  # an evaluator it names is gone
            raise ItemError(str(error)) from None
        if key_of(row.dataset, row.version, question) == row.key:
            lease.finish(figures=figures, done=len(STEPS))
        else:
            lease.delete()
