"""Rows of claims against a source: a claim that stands alone, or a response with its claims, each with passages."""

from typing import Any

from annotate.corpus.rows import (
    LONGEST_DOMAIN,
    LONGEST_INDEX,
    LONGEST_SUBJECT,
    LONGEST_TITLE,
    LONGEST_TOPIC,
    Card,
    ImportedJudgement,
    PassageRow,
    PromptRow,
    ResponseRow,
    SegmentRow,
    content_hash,
)
from annotate.models import Value
from core import row_fields as fields
from core.errors import RowError, describe
from core.row_fields import Fields

OF_CLAIM = ("label", "reason", "references", "passages")
OPTIONAL = ("index", "prompt", "domain", "source", "subject", "topic", *OF_CLAIM)
LISTS = ("claims", "passages", "references")


def read_row(row: Fields, subject: str = "") -> ResponseRow:
    """One line of the file; `subject` is that of rows which name none. RowError names the field at fault.

    A claim that stands alone is a response of its own text; a `prompt` is there only where somebody was asked.
    """
    claims: tuple[SegmentRow, ...]
    if "claim" in row:  # it stands alone
        fields.check_keys(row, ("claim",), OPTIONAL)
        text, claims = fields.filled_text(row, "claim"), (_claim(row, ""),)
    else:
        fields.check_keys(row, ("response", "claims"), [key for key in OPTIONAL if key not in OF_CLAIM])
        text, claims = fields.filled_text(row, "response"), _claims(row)
    return ResponseRow(
        index=fields.outside_index(row, LONGEST_INDEX) if "index" in row else None,
        prompt=PromptRow(
            text=fields.optional_text(row, "prompt"),
            domain=fields.optional_text(row, "domain", LONGEST_DOMAIN),
            source=fields.optional_text(row, "source"),
            topic=fields.optional_text(row, "topic", LONGEST_TOPIC),
        ),
        text=text,
        segments=claims,
        subject=fields.optional_text(row, "subject", LONGEST_SUBJECT) or subject,
        # Last, when every field is known to be sound: half a surrogate pair cannot be encoded.
        content_hash=content_hash({**row, "index": "", "subject": row.get("subject") or subject}),
    )


def _claims(row: Fields) -> tuple[SegmentRow, ...]:
    rows = fields.check_list(row["claims"], "claims")
    if not rows:
        raise RowError("claims is empty")
    return tuple(_claim_of(each, f"claim {number}") for number, each in enumerate(rows, start=1))


def _claim_of(claim: Any, place: str) -> SegmentRow:
    if not isinstance(claim, dict):
        raise RowError(f"{place} must be an object, not {describe(claim)}")
    fields.check_keys(claim, ("claim",), OF_CLAIM, place)
    return _claim(claim, f"{place}: ")


def _claim(row: Fields, place: str) -> SegmentRow:
    try:
        return SegmentRow(fields.filled_text(row, "claim"), _judged(row), passages=_passages(row))
    except RowError as error:
        raise RowError(f"{place}{error}") from None


def _judged(row: Fields) -> ImportedJudgement | None:
    """None where the claim has no label: then nothing else is said of it either."""
    label, reason = row.get("label"), row.get("reason")
    urls = fields.texts(row, "references") if row.get("references") is not None else []
    if label is None or label == "":
        if reason or urls:
            raise RowError("reason and references belong to a label, and there is none")
        return None
    if not isinstance(label, str) or label not in Value.values:
        raise RowError(f"label must be one of {', '.join(Value.values)}, or null, not {describe(label)}")
    return ImportedJudgement(
        label,
        reason="" if reason is None else fields.check_text(reason, "reason"),
        cards=tuple(Card(url, "") for url in urls if url.strip()),
    )


def _passages(row: Fields) -> tuple[PassageRow, ...]:
    """Each once, in their order."""
    if row.get("passages") is None:
        return ()
    passages = fields.check_list(row["passages"], "passages")
    return tuple(dict.fromkeys(_passage(each, f"passage {number}") for number, each in enumerate(passages, start=1)))


def _passage(passage: Any, place: str) -> PassageRow:
    """A text, or an object with it."""
    passage = {"text": passage} if isinstance(passage, str) else passage
    if not isinstance(passage, dict):
        raise RowError(f"{place} must be a text or an object, not {describe(passage)}")
    fields.check_keys(passage, ("text",), ("title", "url"), place)
    try:
        return PassageRow(
            fields.filled_text(passage, "text"),
            fields.optional_text(passage, "title", LONGEST_TITLE),
            fields.optional_text(passage, "url"),
        )
    except RowError as error:
        raise RowError(f"{place}: {error}") from None
