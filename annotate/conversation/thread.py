"""The conversation at an assignment, as its annotator or an adjudicator reads it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from annotate.judgements.judgement import check_text
from annotate.models import Assignment, AssignmentEvent, Message, Task, User

LONGEST = 5_000
ADJUDICATOR = "Adjudicator"


class MessageError(ValueError):
    """It cannot be sent; the message says why. Nothing was changed."""


@dataclass(frozen=True)
class Line:
    """One message, or the note with which work was sent back. `is_new`: its reader has not seen it before."""

    name: str
    text: str
    at: datetime
    is_note: bool = False
    is_new: bool = False


@dataclass(frozen=True)
class Thread:
    """The lines at an assignment, the oldest first."""

    assignment: Assignment
    lines: list[Line]


def write_message(assignment: Assignment, author: User, text: str) -> Message:
    """Raises as `check_message` does."""
    return Message.objects.create(assignment=assignment, author=author, text=check_message(text))


def check_message(text: str) -> str:
    """Raises MessageError for an empty text, and JudgementError for one that no database can keep."""
    text = check_text(text.replace("\r\n", "\n").strip(), "message", LONGEST)
    if not text:
        raise MessageError("enter a message")
    return text


@transaction.atomic
def read_as_annotator(assignment: Assignment) -> Thread:
    """The annotator's own conversation; adjudicators have no names in it. What was unread is read from now on."""
    thread = Thread(assignment, _lines(assignment, names_shown=False))
    _mark_read(Message.objects.filter(assignment=assignment).exclude(author=assignment.annotator_id))
    return thread


@transaction.atomic
def read_as_adjudicator(task: Task) -> list[Thread]:
    """The conversations with all annotators of the task, by name; what annotators wrote is read from now on."""
    assignments = task.assignments.select_related("annotator").defer(*Assignment.LARGE).order_by("annotator__username")
    threads = [Thread(each, _lines(each, names_shown=True)) for each in assignments]
    _mark_read(Message.objects.filter(assignment__task=task, author=F("assignment__annotator")))
    return threads


def _mark_read(messages: QuerySet[Message]) -> None:
    Message.objects.filter(pk__in=messages.values("pk"), read_at__isnull=True).update(read_at=timezone.now())


def _lines(assignment: Assignment, *, names_shown: bool) -> list[Line]:
    def name_of(author: User) -> str:
        if names_shown:
            return author.get_username()
        return "You" if author.pk == assignment.annotator_id else ADJUDICATOR

    lines = []
    for message in assignment.messages.select_related("author"):
        by_annotator = message.author_id == assignment.annotator_id
        is_new = message.read_at is None and by_annotator == names_shown
        lines.append(Line(name_of(message.author), message.text, message.created_at, is_new=is_new))
    notes = AssignmentEvent.objects.filter(
        task=assignment.task_id, annotator=assignment.annotator_id, what=AssignmentEvent.What.SENT_BACK
    )
    for note in notes.select_related("who"):
        name = name_of(note.who) if note.who else ADJUDICATOR
        lines.append(Line(name, note.note, note.created_at, is_note=True))
    return sorted(lines, key=lambda line: line.at)
