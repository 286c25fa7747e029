"""An adjudicator waits no longer."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.adjudication.close import close_if_settled_before
from annotate.models import Task, User


@transaction.atomic
def end_rebuttal(task: Task, who: User, now: datetime | None = None) -> bool:
    """End the task's rebuttal: what was submitted stands for those who have not answered.

    False if it is over already, because the last one has answered or somebody else has ended it.
    """
    Task.objects.select_for_update().get(pk=task.pk)
    waiting = Task.objects.filter(pk=task.pk).unsettled().in_rebuttal().first()
    if waiting is None:
        return False
    waiting.rebuttal_ended_at, waiting.rebuttal_ended_by = now or timezone.now(), who
    waiting.save(update_fields=["rebuttal_ended_at", "rebuttal_ended_by"])
    close_if_settled_before(waiting)
    return True
