"""All that a person gave the site and that it knows of them, as a zip of JSON."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F, Q, QuerySet

from annotate.models import (
    Adjudication,
    Assignment,
    Edit,
    Label,
    Message,
    OutsidePerson,
    ReferenceLink,
    ResponseLabel,
    SharedMessage,
    UnitMark,
    User,
)
from annotate.models.shared_conversation import with_open_conversation
from audit.models import AuditEntry

AT_ONCE = 1000
RESPONSE = ("response__dataset__name", "response__index")
UNIT = (*(f"segment__{column}" for column in RESPONSE), "segment__position")
JUDGEMENT = ("value", "error_type", "irrelevance", "reason", "flagged", "withdrawn", "revision", "created_at")
MARK = ("kind", "note", "state", "reason", "created_at")
TASK = ("state", "draft", "comment", "skip_reason", "opened_at", "submitted_at")
AUDIT = ("at", "action", "address", "by_token", "object_kind", "object_name", "detail")


@dataclass(frozen=True)
class OwnList:
    """One kind of thing: the rows that are found, and each as it is written."""

    name: str
    found: QuerySet[Any]
    rows: Iterator[dict[str, Any]]


def write_own(person: User, target: IO[bytes], note: Callable[[int, int], object]) -> None:
    """account.json, and a file of JSON lines for each kind of thing; of others it holds what was written to the
    person. note: called now and then with the rows so far, and all of them."""
    lists = _lists(person)
    total, written = sum(each.found.count() for each in lists), 0
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.writestr("account.json", json.dumps(_account(person), indent=1, cls=DjangoJSONEncoder))
        for each in lists:
            with archive.open(f"{each.name}.jsonl", "w", force_zip64=True) as file:
                for row in each.rows:
                    if written % AT_ONCE == 0:
                        note(written, total)
                    file.write(json.dumps(row, ensure_ascii=False, cls=DjangoJSONEncoder).encode() + b"\n")
                    written += 1
    note(written, written)


def _account(person: User) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=person).values("email", "verified", "primary")
    return {
        "user_name": person.username,
        "name": person.get_full_name(),
        "email": list(addresses),
        "joined": person.date_joined,
        "last_login": person.last_login,
        "keys": person.keys,
        "moves_on": person.moves_on,
        "language": person.language,
        "time_zone": person.time_zone,
        "daily_email": person.digest,
        "datasets": list(person.memberships.order_by("pk").values("role", name=F("dataset__name"))),
        "platforms": list(
            OutsidePerson.objects.filter(person=person).values(
                *("outside_id", "submission_id", "study_id", "began_at", "finished_at", "outcome"),
                platform=F("link__platform"),
            )
        ),
        "sessions": list(UserSession.objects.filter(user=person).values("created_at", "ip", "user_agent")),
        "tokens": list(person.tokens.values("name", "scopes", "created_at", "expires_at", "last_used_at")),
    }


def _lists(person: User) -> list[OwnList]:
    """Each in the order of time."""
    mine = {"assignment__annotator": person}
    labels = Label.objects.filter(**mine)
    edits = Edit.objects.filter(**mine)
    responses = ResponseLabel.objects.filter(**mine)
    marks = UnitMark.objects.filter(**mine)
    tasks = Assignment.objects.filter(annotator=person).order_by("opened_at", "pk")
    messages = Message.objects.filter(Q(author=person) | Q(assignment__annotator=person))
    joined = Assignment.objects.real().filter(annotator=person, state=Assignment.State.SUBMITTED)
    open_to_them = with_open_conversation().filter(pk__in=joined.values("task"))
    shared = SharedMessage.objects.filter(Q(author=person) | Q(task__in=open_to_them.values("pk")))
    decisions = Adjudication.objects.filter(who=person)
    audit = AuditEntry.objects.filter(person=person).order_by("at", "pk")
    recipes = person.recipes.order_by("saved_at", "pk")
    return [
        OwnList("labels", labels, _labels(labels)),
        OwnList("edits", edits, _rows(_in_time(edits), *UNIT, "text", "revision", "created_at")),
        OwnList(
            "responses", responses, _rows(_in_time(responses), *RESPONSE, "keep", "reason", "revision", "created_at")
        ),
        OwnList("marks", marks, _rows(_in_time(marks), *UNIT, "fact__position", *MARK)),
        OwnList("tasks", tasks, _rows(tasks, *TASK, dataset=F("task__dataset__name"))),
        OwnList("messages", messages, _messages(person, messages, "assignment__task")),
        OwnList("messages_to_all", shared, _messages(person, shared, "task")),
        OwnList("decisions", decisions, _rows(_in_time(decisions), *UNIT, "fact__position", "why", "created_at")),
        OwnList("recipes", recipes, _rows(recipes, "name", "document", "saved_at")),
        OwnList("audit", audit, _rows(audit, *AUDIT)),
    ]


def _in_time(found: QuerySet[Any]) -> QuerySet[Any]:
    return found.order_by("created_at", "pk")


def _rows(found: QuerySet[Any], *columns: str, **named: F) -> Iterator[dict[str, Any]]:
    return found.values(*columns, **named).iterator(AT_ONCE)


def _labels(labels: QuerySet[Label]) -> Iterator[dict[str, Any]]:
    """With the references that each cites, a list of address, quote and stance."""
    rows = _rows(_in_time(labels), "pk", *UNIT, "fact__position", *JUDGEMENT)
    for chunk in iter(lambda: list(islice(rows, AT_ONCE)), []):
        cited = defaultdict(list)
        links = ReferenceLink.objects.filter(label__in=[row["pk"] for row in chunk]).order_by("position")
        for label, url, quote, stance in links.values_list("label", "url", "quote", "stance"):
            cited[label].append({"url": url, "quote": quote, "stance": stance})
        for row in chunk:
            yield {**row, "references": cited[row.pop("pk")]}


def _messages(person: User, messages: QuerySet[Any], task: str) -> Iterator[dict[str, Any]]:
    """Whole conversations without names, as they are shown to an annotator. task: the path to it."""
    for row in _rows(_in_time(messages), "author", "text", "created_at", f"{task}__dataset__name"):
        yield {**row, "author": "you" if row["author"] == person.pk else "somebody else"}
