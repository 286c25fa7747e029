"""FELM's rows: a response with its segments, a true/false label for each, comments, error types and references.

A row without labels is one to be labelled: it may lack whatever else only the labelling or the cutting brings.

The published file writes an empty `type`, `comment`, `ref` or `ref_contents` as "" or as []: `extra` keeps which, so
that an export gives it back.
"""

from itertools import zip_longest
from typing import Any

from annotate.corpus.rows import (
    LONGEST_DOMAIN,
    LONGEST_INDEX,
    ImportedJudgement,
    ImportedReference,
    PromptRow,
    ResponseRow,
    SegmentRow,
    content_hash,
)
from annotate.models.values import FELM_SPELLING, ErrorType, Value
from core import row_fields as fields
from core.errors import RowError, describe
from core.row_fields import Fields

LISTS = ("segmented_response", "labels", "comment", "type", "ref", "ref_contents")
KEYS = ("index", "domain", "source", "prompt", "response", *LISTS)
# The fields that an export adds about frozen pages: they are no part of the row, and an import leaves them out.
SNAPSHOTS = "snapshots"
BLANKABLE = ("type", "comment", "ref", "ref_contents")
# The keys that a row without labels may lack, besides the blankable ones.
OPTIONAL = ("domain", "source", "segmented_response", "labels")
TYPES = {spelling: error_type.value for error_type, spelling in FELM_SPELLING.items()}


def read_row(row: Fields, subject: str = "") -> ResponseRow:
    """One line of the file. RowError names the field at fault.

    A response that is NaN becomes its segments joined by one space, with a warning.
    """
    row = {**row, **{key: "" for key in BLANKABLE if row.get(key, "") is None}} if None in row.values() else row
    if _is_unlabelled(row):
        return _read_unlabelled(row, subject)
    fields.check_keys(row, KEYS, (SNAPSHOTS,))
    row = {key: row[key] for key in KEYS}
    segments = fields.texts(row, "segmented_response")
    if not segments:
        raise RowError("segmented_response is empty")
    extra: dict[str, Any] = {key: row[key] for key in BLANKABLE if row[key] in ("", [])}
    if isinstance(row["index"], int):
        extra["index"] = "number"
    index = fields.outside_index(row, LONGEST_INDEX)
    warnings: tuple[str, ...] = ()
    response = row["response"]
    if isinstance(response, float) and response != response:
        response = " ".join(segments)
        extra["response"] = "NaN"
        warnings = ("response is NaN: its segments, joined by one space, stand for it",)
    return ResponseRow(
        index=index,
        prompt=PromptRow(
            text=fields.text(row, "prompt"),
            domain=fields.text(row, "domain", LONGEST_DOMAIN),
            source=fields.text(row, "source"),
        ),
        text=fields.check_text(response, "response"),
        segments=_segments(row, segments),
        references=_references(row),
        subject=subject,
        extra=extra,
        warnings=warnings,
        # Last, when every field is known to be sound: half a surrogate pair cannot be encoded.
        content_hash=content_hash({**row, "index": index, "response": response}),
    )


def _is_unlabelled(row: Fields) -> bool:
    """Neither labels nor what annotators write beside them."""
    return not row.get("labels") and not _holds_any(row.get("comment")) and not _holds_any(row.get("type"))


def _holds_any(value: object) -> bool:
    return any(item not in (None, "") for item in value) if isinstance(value, list) else bool(value)


def _read_unlabelled(row: Fields, subject: str) -> ResponseRow:
    """Its segments are those of the file, or the sentences of the response."""
    fields.check_keys(row, ("index", "prompt", "response"), (*KEYS, SNAPSHOTS))
    row = {key: row[key] for key in KEYS if key in row and (key not in LISTS or row[key])}
    index = fields.outside_index(row, LONGEST_INDEX)
    segments = fields.texts(row, "segmented_response") if "segmented_response" in row else None
    return ResponseRow(
        index=index,
        prompt=PromptRow(
            text=fields.filled_text(row, "prompt"),
            domain=fields.optional_text(row, "domain", LONGEST_DOMAIN),
            source=fields.optional_text(row, "source"),
        ),
        text=fields.filled_text(row, "response"),
        segments=None if segments is None else tuple(SegmentRow(text) for text in segments),
        references=_references({"ref": [], "ref_contents": [], **row}),
        subject=subject,
        extra={"index": "number"} if isinstance(row["index"], int) else {},
        content_hash=content_hash({**row, "index": index}),
    )


def _segments(row: Fields, segments: list[str]) -> tuple[SegmentRow, ...]:
    labels = _labels(row, len(segments))
    comments = _one_each(fields.texts_or_blank(row, "comment"), "comment", len(segments), "")
    types = _one_each([] if row["type"] == "" else fields.check_list(row["type"], "type"), "type", len(segments), None)
    return tuple(
        SegmentRow(
            text=text,
            judged=_judged(label, error_type, comment, place),
            extra={"type": ""} if error_type == "" else {},
        )
        for place, (text, label, error_type, comment) in enumerate(zip(segments, labels, types, comments, strict=True))
    )


def _labels(row: Fields, wanted: int) -> list[bool]:
    labels = fields.check_list(row["labels"], "labels")
    if len(labels) != wanted:
        raise RowError(f"labels has {len(labels)} items, segmented_response {wanted}")
    for place, label in enumerate(labels):
        if not isinstance(label, bool):
            cause = f"labels, item {place + 1}, must be true or false, not {describe(label)}"
            raise RowError(cause, f"label {describe(label)}")
    return labels


def _one_each(items: list[Any], key: str, wanted: int, blank: str | None) -> list[Any]:
    """The items, one a segment; a list without any stands for blanks."""
    if items and len(items) != wanted:
        raise RowError(f"{key} has {len(items)} items, segmented_response {wanted}")
    return items or [blank] * wanted


def _judged(label: bool, error_type: object, comment: str, place: int) -> ImportedJudgement:
    known = _error_type(error_type, place)
    if label:
        # A correct segment may carry a type: it is kept, the label decides (docs/statistics.md, Values of a judgement).
        value = Value.SUPPORTED
    elif known == ErrorType.IRRELEVANT:
        value = Value.IRRELEVANT
    else:
        value = Value.NOT_SUPPORTED
    return ImportedJudgement(value=value.value, error_type=known, reason=comment)


def _error_type(spelling: object, place: int) -> str:
    if spelling is None or spelling == "":
        return ""
    if not isinstance(spelling, str) or spelling not in TYPES:
        raise RowError(f"type, item {place + 1}, must be null or one of {', '.join(TYPES)}, not {describe(spelling)}")
    return TYPES[spelling]


def _references(row: Fields) -> tuple[ImportedReference, ...]:
    urls, contents = fields.texts_or_blank(row, "ref"), fields.texts_or_blank(row, "ref_contents")
    return tuple(ImportedReference(url, content) for url, content in zip_longest(urls, contents))
