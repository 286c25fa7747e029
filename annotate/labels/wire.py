"""What the workbench's script sends, and is answered."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, RawPostDataException

from annotate.labels.changes import Changes
from annotate.labels.cited import titles_of
from annotate.labels.draft import draft_of
from annotate.labels.entries import Draft, parse_entry
from annotate.labels.form import FormError
from annotate.models import Assignment

# More seconds than anybody works between two saves.
A_DAY = 86_400


@dataclass(frozen=True)
class Sent:
    """`version`: of the draft that the page had seen; `changes`: what it says otherwise, None where it takes something
    back; `active`: seconds worked since the last save; `submit`: it should be submitted as it then is."""

    version: int
    changes: Changes
    active: int = 0
    submit: bool = False


def read_sent(request: HttpRequest) -> Sent:
    """The body of a save. Raises FormError, EntryError."""
    body = _read_body(request)
    return Sent(
        version=_count(body, "version", 10**9),
        changes={key: None if sent is None else parse_entry(key, sent) for key, sent in _entries(body).items()},
        active=_count(body, "active", A_DAY),
        submit=body.get("submit") is True,
    )


def read_page(request: HttpRequest) -> tuple[Draft, list[str]]:
    """All that a page says, and the keys of what only it has. Raises FormError, EntryError."""
    body = _read_body(request)
    unsaved = body.get("unsaved")
    if not isinstance(unsaved, list) or not all(isinstance(key, str) for key in unsaved):
        raise FormError("The page does not say what it has not saved")
    return {key: parse_entry(key, sent) for key, sent in _entries(body).items()}, unsaved


def for_page(assignment: Assignment) -> dict[str, Any]:
    """The draft as the page takes it in."""
    draft = draft_of(assignment)
    return {
        "version": assignment.draft_version,
        "entries": {key: entry.stored() for key, entry in draft.items()},
        "active": assignment.active_seconds,
        "titles": titles_of(draft),
    }


def _read_body(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError, RawPostDataException) as error:  # the last: it was read, as a form
        raise FormError("What was sent is no JSON") from error
    if not isinstance(body, dict):
        raise FormError("What was sent is no object")
    return body


def _entries(body: dict[str, Any]) -> dict[str, Any]:
    entries = body.get("entries")
    if not isinstance(entries, dict):
        raise FormError("What was sent has no entries")
    return entries


def _count(body: dict[str, Any], name: str, most: int) -> int:
    number = body.get(name)
    if type(number) is not int or not 0 <= number <= most:
        raise FormError(f"What was sent has no {name} that is a count")
    return number
