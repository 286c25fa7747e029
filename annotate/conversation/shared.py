"""The conversation of all annotators of a task and the adjudicators: what each of them reads and writes.

Whether it is open: annotate/models/shared_conversation.py.
"""

from django.db import transaction
from django.utils import timezone

from annotate.conversation.thread import ADJUDICATOR, Line, check_message
from annotate.models import Assignment, SharedMessage, SharedReading, Task, User

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def write_shared_message(task: Task, author: User, text: str) -> SharedMessage:
    """Raises as `check_message` does."""
    return SharedMessage.objects.create(task=task, author=author, text=check_message(text))


@transaction.atomic
def read_shared(task: Task, reader: User, *, names_shown: bool) -> list[Line]:
    """The lines, the oldest first; the reader has read them from now on. Without names, as annotators read it, others
    have letters."""
    names = _names(task, reader, names_shown=names_shown)
    before = SharedReading.objects.filter(task=task, person=reader).values_list("read_at", flat=True).first()
    SharedReading.objects.update_or_create(task=task, person=reader, defaults={"read_at": timezone.now()})
    return [
        Line(
            names.get(message.author_id) or (message.author.get_username() if names_shown else ADJUDICATOR),
            message.text,
            message.created_at,
            is_new=message.author_id != reader.pk and (before is None or message.created_at > before),
        )
        for message in task.shared_messages.select_related("author")
    ]


def letter_of(assignment: Assignment) -> str:
    """That of its annotator, to the others."""
    return _letters(assignment.task)[assignment.annotator_id]


def _letters(task: Task) -> dict[int, str]:
    """The primary keys of its annotators, each with a letter that stays theirs."""
    submitted = task.assignments.filter(state=Assignment.State.SUBMITTED).real().order_by("pk")
    return dict(zip(submitted.values_list("annotator", flat=True), LETTERS, strict=False))


def _names(task: Task, reader: User, *, names_shown: bool) -> dict[int, str]:
    names = {person: f"Annotator {letter}" for person, letter in _letters(task).items()}
    if names_shown:
        people = User.objects.in_bulk(names)
        return {person: f"{people[person].get_username()} ({name})" for person, name in names.items()}
    return names | {reader.pk: "You"}
