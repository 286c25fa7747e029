"""Rows of one's own, to be labelled: a prompt and the response to it."""

from annotate.corpus import fields
from annotate.corpus.fields import Fields
from annotate.corpus.lines import RowError
from annotate.corpus.rows import (
    LONGEST_DOMAIN,
    LONGEST_INDEX,
    LONGEST_SUBJECT,
    LONGEST_TOPIC,
    PromptRow,
    Reference,
    Row,
    SegmentRow,
    content_hash,
)

KEYS = ("prompt", "response")
OPTIONAL = ("index", "domain", "source", "subject", "topic", "references", "segments")


def read_row(row: Fields, subject: str = "") -> Row:
    """One line of the file; `subject` is that of rows which name none. RowError names the field at fault."""
    fields.check_keys(row, KEYS, OPTIONAL)
    subject = fields.optional_text(row, "subject", LONGEST_SUBJECT) or subject
    content = {key: value for key, value in row.items() if key != "index"}
    return Row(
        index=fields.outside_index(row, LONGEST_INDEX) if "index" in row else None,
        prompt=PromptRow(
            text=fields.filled_text(row, "prompt"),
            domain=fields.optional_text(row, "domain", LONGEST_DOMAIN),
            source=fields.optional_text(row, "source"),
            topic=fields.optional_text(row, "topic", LONGEST_TOPIC),
        ),
        text=fields.filled_text(row, "response"),
        segments=_segments(row),
        references=tuple(Reference(url, None) for url in fields.texts(row, "references"))
        if "references" in row
        else (),
        subject=subject,
        # Last, when every field is known to be sound: half a surrogate pair cannot be encoded.
        content_hash=content_hash({**content, "subject": subject}),
    )


def _segments(row: Fields) -> tuple[SegmentRow, ...] | None:
    if "segments" not in row:
        return None
    segments = fields.texts(row, "segments")
    if not any(segment.strip() for segment in segments):
        raise RowError("segments is empty")
    return tuple(SegmentRow(segment) for segment in segments)
