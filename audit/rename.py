"""The one change that the audit log allows: the name of a person who is forgotten. Who, what and when stay."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from audit.models import AuditEntry
from audit.triggers import create_triggers, drop_triggers

WORDS = ("object_name", "detail")
TOKEN = "a token"  # noqa: S105 - what stands for the name of one


@transaction.atomic
def rename_person(person: Any, names: list[str], without_names: Callable[[str], str]) -> int:
    """Take the names out of the words of all entries, and addresses and names of tokens out of the person's own.
    Returns how many entries changed. The triggers are away for this transaction alone."""
    named = reduce(or_, (Q(**{f"{field}__contains": name}) for field in WORDS for name in names), Q(person=person))
    changed = 0
    drop_triggers(connection)
    for entry in AuditEntry.objects.filter(named).iterator():
        values: dict[str, str | None] = {field: without_names(getattr(entry, field)) for field in WORDS}
        if entry.person_id == person.pk:
            values |= {"address": None, "by_token": entry.by_token and TOKEN}
        if any(getattr(entry, field) != value for field, value in values.items()):
            # By Django's own set of rows: that of the log refuses.
            QuerySet(AuditEntry).filter(pk=entry.pk).update(**values)
            changed += 1
    create_triggers(connection)
    return changed
