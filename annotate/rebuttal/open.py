"""A rebuttal opens when the last annotator of a task submits, and not before: until then nobody sees anything."""

from datetime import datetime

from annotate.models import Assignment, Task


def open_rebuttal(task: Task, now: datetime) -> bool:
    """Open the task's rebuttal if its dataset has one and all of two or more annotators have submitted.

    The task is locked (annotate/tasks/places.py). Returns whether it was opened now.
    """
    if not task.dataset.rebuttal or task.rebuttal_at is not None or task.kind != Task.Kind.WORK or task.wants < 2:
        return False
    if task.assignments.filter(state=Assignment.State.SUBMITTED).count() < task.wants:
        return False
    task.rebuttal_at = now
    task.save(update_fields=["rebuttal_at"])
    return True
