"""The receipt of a task: who saw what of it, and when."""

from collections.abc import Collection

from django.db import connection
from django.db.models import F
from django.utils import timezone

from annotate.models import User, ViewReceipt

AT_A_TIME = 5_000
# Each page that shows a task waits for this: one statement, which no second page of the same person can pass, where
# the ORM, whose upserts cannot count, takes four and a transaction.
NOTE = """
    INSERT INTO annotate_viewreceipt (task_id, who_id, what, first_at, last_at, times) VALUES (%s, %s, %s, %s, %s, 1)
    ON CONFLICT (task_id, who_id, what)
    DO UPDATE SET last_at = excluded.last_at, times = annotate_viewreceipt.times + 1
"""


def note_receipt(task: int, who: User, what: ViewReceipt.What) -> None:
    """Write down that the person now sees this much of the task (its primary key); adjudicators are noted as well."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(NOTE, [task, who.pk, what.value, now, now])


def note_receipts(tasks: Collection[int], who: User, what: ViewReceipt.What) -> None:
    """The same of several tasks at once, in three statements for each AT_A_TIME of them."""
    now, distinct = timezone.now(), sorted(set(tasks))
    for start in range(0, len(distinct), AT_A_TIME):
        some = distinct[start : start + AT_A_TIME]
        seen = ViewReceipt.objects.filter(task__in=some, who=who, what=what)
        before = set(seen.values_list("task", flat=True))
        seen.update(last_at=now, times=F("times") + 1)
        new = [ViewReceipt(task_id=task, who=who, what=what, first_at=now, last_at=now) for task in some]
        ViewReceipt.objects.bulk_create([each for each in new if each.task_id not in before], ignore_conflicts=True)
