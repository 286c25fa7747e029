"""Entries of a draft: judgements of units, corrections of sentences, verdicts on responses, a comment."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from annotate.judgements.judgement import MARK_FIELDS, CitedReference, JudgementError, UnitJudgement, check_text
from annotate.models import Assignment
from core.numbers import LONGEST_NUMBER

COMMENT_KEY = "comment"
# Prefixes of keys.
CORRECTION, VERDICT = "edit", "keep"


@dataclass(frozen=True)
class Correction:
    """A sentence made right, nothing added (FActScore appendix C); "" removes it."""

    text: str

    @property
    def empty(self) -> bool:
        """Never: removing a sentence is an entry too."""
        return False

    def stored(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class ResponseVerdict:
    """Whether a whole response should stay in the dataset; removing it wants a reason (FELM figure 6)."""

    keep: bool
    reason: str = ""

    @property
    def empty(self) -> bool:
        return False

    def stored(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Comment:
    """To the adjudicator, about the whole task."""

    text: str = ""

    @property
    def empty(self) -> bool:
        return not self.text

    def stored(self) -> dict[str, Any]:
        return asdict(self)


Entry = UnitJudgement | Correction | ResponseVerdict | Comment
# By key: that of a unit, of a sentence's correction, of a response's verdict, or of the comment.
Draft = dict[str, Entry]


def correction_key(segment: int) -> str:
    return f"{CORRECTION}.{segment}"


def verdict_key(response: int) -> str:
    return f"{VERDICT}.{response}"


def kind_of(key: str) -> type[Entry]:
    """The kind of entry that has such a key."""
    if key == COMMENT_KEY:
        return Comment
    return {CORRECTION: Correction, VERDICT: ResponseVerdict}.get(key.partition(".")[0], UnitJudgement)


def kind_name(key: str) -> str:
    """The kind as templates name it: "judgement", "correction", "verdict" or "comment"."""
    return _KIND_NAMES[kind_of(key)]


def from_stored(key: str, stored: dict[str, Any]) -> Entry:
    kind = kind_of(key)
    return UnitJudgement.from_stored(stored) if kind is UnitJudgement else kind(**stored)


def draft_of(assignment: Assignment) -> Draft:
    """The entries of the annotator so far."""
    return {key: from_stored(key, stored) for key, stored in assignment.draft.items()}


def judgement_at(draft: Mapping[str, Entry], key: str) -> UnitJudgement:
    """The judgement of the unit; an empty one if there is none."""
    entry = draft.get(key)
    return entry if isinstance(entry, UnitJudgement) else UnitJudgement()


def check_other(entry: Correction | ResponseVerdict | Comment) -> Entry:
    """The entry, or JudgementError if no database can keep its text."""
    text, what = (entry.reason, "reason") if isinstance(entry, ResponseVerdict) else (entry.text, "text")
    check_text(text, what)
    return entry


class EntryError(JudgementError):
    """An entry that no page of ours has sent."""


_KIND_NAMES: dict[type[Entry], str] = {
    UnitJudgement: "judgement",
    Correction: "correction",
    ResponseVerdict: "verdict",
    Comment: "comment",
}

_FIELDS: dict[type[Entry], dict[str, type]] = {
    UnitJudgement: {
        "value": str,
        "error_type": str,
        "irrelevance": str,
        "reason": str,
        "flagged": bool,
        "references": list,
    },
    Correction: {"text": str},
    ResponseVerdict: {"keep": bool, "reason": str},
    Comment: {"text": str},
}


def parse_entry(key: str, sent: object) -> Entry:
    """The entry of a request's JSON: each of its fields, and nothing else. Raises EntryError."""
    fields = _FIELDS[kind_of(key)]
    if kind_of(key) is UnitJudgement and isinstance(sent, dict) and any(name in sent for name in MARK_FIELDS):
        fields = {**fields, **dict.fromkeys(MARK_FIELDS, str)}
    if not isinstance(sent, dict) or sent.keys() != fields.keys():
        raise EntryError(f"the entry {key} does not have the fields {', '.join(fields)}")
    for name, kind in fields.items():
        if not isinstance(sent[name], kind):
            raise EntryError(f"{name} of {key} is no {kind.__name__}")
    for reference in sent.get("references", ()):
        parse_reference(key, reference)
    return from_stored(key, sent)


def parse_reference(key: str, sent: object) -> CitedReference:
    """A reference of the entry at the key. Raises EntryError."""
    texts = ("url", "quote", "stance")
    if not isinstance(sent, dict) or sent.keys() != {*texts, "document"}:
        raise EntryError(f"a reference of {key} does not have the fields {', '.join((*texts, 'document'))}")
    if not all(isinstance(sent[name], str) for name in texts):
        raise EntryError(f"a reference of {key} has a text that is none")
    if sent["document"] is not None and not _is_number(sent["document"]):
        raise EntryError(f"a reference of {key} has a number that is none")
    return CitedReference(**sent)


def _is_number(sent: object) -> bool:
    """Whether a row can have it as its key, in every database."""
    return type(sent) is int and 0 <= sent < 10**LONGEST_NUMBER
