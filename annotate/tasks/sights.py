"""The receipt of a task: who saw what of it, and when."""

from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from annotate.models import Sight, User


def note_sight(task: int, who: User, what: Sight.What) -> None:
    """Write down that the person now sees this much of the task (its primary key); adjudicators are noted as well."""
    now = timezone.now()
    seen = Sight.objects.filter(task=task, who=who, what=what)
    if seen.update(last_at=now, times=F("times") + 1):
        return
    try:
        with transaction.atomic():
            Sight.objects.create(task_id=task, who=who, what=what, first_at=now, last_at=now)
    except IntegrityError:  # another page of the same person was first
        seen.update(last_at=now, times=F("times") + 1)


def note_sights(tasks: Collection[int], who: User, what: Sight.What) -> None:
    """The same of several tasks at once, in three statements."""
    now = timezone.now()
    seen = Sight.objects.filter(task__in=tasks, who=who, what=what)
    before = set(seen.values_list("task", flat=True))
    seen.update(last_at=now, times=F("times") + 1)
    new = [Sight(task_id=task, who=who, what=what, first_at=now, last_at=now) for task in set(tasks) - before]
    Sight.objects.bulk_create(new, ignore_conflicts=True)
