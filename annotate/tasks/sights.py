"""The receipt of a task: who saw what of it, and when."""

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
