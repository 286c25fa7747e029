"""Requests of the workbench's script, and the answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, RawPostDataException

from annotate.judgements.entries import Draft, Entry, parse_entry
from annotate.judgements.page_keys import PageKeys
from annotate.labels.active import NO_TIME, Worked
from annotate.labels.changes import Changes
from annotate.labels.cited import titles_of
from annotate.labels.form import FormError
from annotate.models import Assignment
from core.errors import RowError
from core.json_limits import parse_json
from core.numbers import LARGEST_NUMBER

# More intervals than a page is worked on between two saves.
MOST_REPORTED = 2000


@dataclass(frozen=True)
class DraftPayload:
    """`version`: of the draft that the page had seen; `changes`: what it says otherwise, by the page's keys, None
    where it takes something back; `worked`: when it was worked on and no save has counted yet; `submit`: it should
    be submitted then, and with `keep`, in a rebuttal, as it was submitted before; `guideline`: the version of the
    guidelines on the page, 0 if there were none, None if it does not say."""

    version: int
    changes: Changes
    worked: Worked = NO_TIME
    submit: bool = False
    keep: bool = False
    guideline: int | None = None


def read_sent(request: HttpRequest) -> DraftPayload:
    """The body of a save. Raises FormError, EntryError."""
    return payload_of(_read_body(request))


def payload_of(body: Mapping[str, Any]) -> DraftPayload:
    """The same of a body that was read. Raises FormError, EntryError."""
    return DraftPayload(
        version=_count(body, "version", 10**9),
        changes=_changes(_entries(body)),
        worked=_worked(body),
        submit=body.get("submit") is True,
        keep=body.get("keep") is True,
        guideline=_count(body, "guideline", LARGEST_NUMBER) if "guideline" in body else None,
    )


@dataclass(frozen=True)
class DraftComparison:
    """`mine`: all that a page says; `unsaved`: the keys of what only it has; `unanswered`: what it sent without being
    answered, which may be stored or not, None where it took something back."""

    mine: Draft
    unsaved: list[str]
    unanswered: list[Changes]

    def own(self, stored: Draft) -> list[str]:
        """The keys of what this page has newer entries for than it stored itself without an answer."""
        return [
            key
            for key in self.unsaved
            if self.mine.get(key) != stored.get(key)
            and any(key in sent and sent[key] == stored.get(key) for sent in self.unanswered)
        ]


def read_page(request: HttpRequest, draft_key: Mapping[str, str]) -> DraftComparison:
    """A page's entries to compare with the stored draft, by the draft's keys: `draft_key` has them by the page's, and
    one that it lacks is left out. Raises FormError, EntryError."""
    body = _read_body(request)
    unsaved, unanswered = body.get("unsaved"), body.get("unanswered")
    if not isinstance(unsaved, list) or not all(isinstance(key, str) for key in unsaved):
        raise FormError("The page does not say what it has not saved")
    if not isinstance(unanswered, list) or not all(isinstance(sent, dict) for sent in unanswered):
        raise FormError("The page does not say what it sent without an answer")

    def changes(sent: dict[str, Any]) -> Changes:
        return {draft_key[key]: entry for key, entry in _changes(sent).items() if key in draft_key}

    mine = {key: entry for key, entry in changes(_entries(body)).items() if entry is not None}
    known = [draft_key[key] for key in unsaved if key in draft_key]
    return DraftComparison(mine, known, [changes(sent) for sent in unanswered])


def for_page(assignment: Assignment, keys: PageKeys, draft: Draft) -> dict[str, Any]:
    """The draft as the page takes it in."""
    return {
        "version": assignment.draft_version,
        "entries": stored_entries(draft, keys),
        "active": assignment.active_seconds,
        "titles": titles_of(draft),
    }


def stored_entries(draft: Mapping[str, Entry], keys: PageKeys) -> dict[str, Any]:
    """By the page's keys."""
    return keys.of_all({key: entry.stored() for key, entry in draft.items()})


def _read_body(request: HttpRequest) -> dict[str, Any]:
    try:
        body = parse_json(request.body)
    except (ValueError, RowError, RawPostDataException) as error:  # the last: it was read, as a form
        raise FormError("What was sent is no JSON") from error
    if not isinstance(body, dict):
        raise FormError("What was sent is no object")
    return body


def _entries(body: Mapping[str, Any]) -> dict[str, Any]:
    entries = body.get("entries")
    if not isinstance(entries, dict):
        raise FormError("What was sent has no entries")
    return entries


def _changes(entries: dict[str, Any]) -> Changes:
    return {key: None if sent is None else parse_entry(key, sent) for key, sent in entries.items()}


def _worked(body: Mapping[str, Any]) -> Worked:
    intervals = body.get("worked", [])
    if not isinstance(intervals, list) or len(intervals) > MOST_REPORTED or not all(map(_is_interval, intervals)):
        raise FormError("What was sent does not say when it was worked on")
    clock = _count(body, "clock", LARGEST_NUMBER) if intervals else None
    return Worked([(start, end) for start, end in intervals], clock)


def _is_interval(sent: object) -> bool:
    return (
        isinstance(sent, list)
        and len(sent) == 2
        and all(type(at) is int and 0 <= at <= LARGEST_NUMBER for at in sent)
        and sent[0] <= sent[1]
    )


def _count(body: Mapping[str, Any], name: str, most: int) -> int:
    number = body.get(name)
    if type(number) is not int or not 0 <= number <= most:
        raise FormError(f"What was sent has no {name} that is a count")
    return number
