"""What comes next for an annotator: a task, their qualification, a rebuttal, or nothing."""

from dataclasses import dataclass
from enum import Enum

from annotate.labels.own_work import waiting_rebuttals
from annotate.models import Assignment, Dataset, User
from annotate.qualification.status import has_unread_answers, may_work
from annotate.tasks.serving import open_next


class NextStep(Enum):
    LABEL = "label"
    QUALIFICATION = "qualification"  # its answers are unread, or it is not passed and no task of it is served
    REBUTTAL = "rebuttal"
    NOTHING = "nothing"


@dataclass(frozen=True)
class NextWork:
    """`assignment`: to label, or to answer in the rebuttal; None of the other steps."""

    step: NextStep
    assignment: Assignment | None = None


def next_work(dataset: Dataset, annotator: User, *, on_page: bool = False) -> NextWork:
    """The annotator's next step; a task is opened (`open_next`)."""
    if has_unread_answers(dataset, annotator):
        return NextWork(NextStep.QUALIFICATION)
    assignment = open_next(dataset, annotator, on_page=on_page)
    if assignment is not None:
        return NextWork(NextStep.LABEL, assignment)
    if not may_work(dataset, annotator):
        return NextWork(NextStep.QUALIFICATION)
    answer = waiting_rebuttals(dataset, annotator).first()
    return NextWork(NextStep.NOTHING) if answer is None else NextWork(NextStep.REBUTTAL, answer)
