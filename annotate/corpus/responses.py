"""Rows of one's own, to be labelled: a prompt and the response to it."""

from collections.abc import Iterator
from dataclasses import replace

from annotate.corpus.label_studio import as_task, is_annotation, is_task, response_of, unread_data
from annotate.corpus.languages import LANGUAGES
from annotate.corpus.rows import (
    LONGEST_DOMAIN,
    LONGEST_FREQUENCY,
    LONGEST_INDEX,
    LONGEST_NATIONALITY,
    LONGEST_SUBJECT,
    LONGEST_TOPIC,
    ImportedReference,
    PromptRow,
    ReadRow,
    ResponseRow,
    SegmentRow,
    SourceRow,
    content_hash,
)
from annotate.corpus.unread import details_of
from core import row_fields as fields
from core.errors import RowError, describe
from core.row_fields import Fields

KEYS = ("prompt", "response")
OPTIONAL = ("index", "domain", "source", "subject", "topic", "references", "segments", "samples", "language")
KEYS_FOR_FACTS = ("prompt", "response", "topic")
OPTIONAL_FOR_FACTS = (
    *("domain", "source", "subject", "frequency", "nationality"),
    *("references", "segments", "samples", "language"),
)
LISTS = ("references", "segments", "samples")


def read_row(row: Fields, subject: str = "") -> ResponseRow:
    """One line of the file, or a task of Label Studio; `subject` is that of rows which name none. RowError names the
    field at fault."""
    if is_task(row):
        task = as_task(row)
        details, left_out = details_of([unread_data(task)], {})
        return replace(_read_fields(response_of(task), subject), details=details, warnings=tuple(left_out))
    return _read_fields(row, subject)


def _read_fields(row: Fields, subject: str) -> ResponseRow:
    fields.check_keys(row, KEYS, OPTIONAL)
    index = fields.outside_index(row, LONGEST_INDEX) if "index" in row else None
    return _row(row, index, fields.optional_text(row, "subject", LONGEST_SUBJECT) or subject)


def read_rows(rows: Iterator[SourceRow], subject: str) -> Iterator[ReadRow]:
    """As read_row. Of the rows that Label Studio writes for several annotations of a task the first makes the
    response."""
    texts: dict[str | None, str] = {}
    for number, row in rows:
        try:
            read = row if isinstance(row, RowError) else read_row(row, subject)
        except RowError as error:
            read = error
        if isinstance(read, ResponseRow) and isinstance(row, dict) and is_annotation(row):
            if texts.get(read.index) == read.text:
                continue
            texts[read.index] = read.text
        yield number, read


def read_row_for_facts(row: Fields, subject: str = "") -> ResponseRow:
    """One line of a file whose responses are to be broken into atomic facts; its key is "subject/topic".

    `subject` is that of rows which name none. A response that is null is an abstention: the subject has nothing to say
    on the topic (FActScore §4.3: people of whom nobody wrote a biography). RowError names the field at fault.
    """
    fields.check_keys(row, KEYS_FOR_FACTS, OPTIONAL_FOR_FACTS)
    subject = fields.optional_text(row, "subject", LONGEST_SUBJECT) or subject
    if not subject:
        raise RowError("subject is missing: name the model that wrote the response, here or for the whole file")
    topic = fields.filled_text(row, "topic", LONGEST_TOPIC)
    index = fields.check_text(f"{subject}/{topic}", "the subject with the topic", LONGEST_INDEX)
    return _row(row, index, subject, abstained=row["response"] is None)


def _row(row: Fields, index: str | None, subject: str, abstained: bool = False) -> ResponseRow:
    content = {key: value for key, value in row.items() if key != "index"}
    language = _language(row)
    return ResponseRow(
        index=index,
        prompt=PromptRow(
            text=fields.filled_text(row, "prompt"),
            domain=fields.optional_text(row, "domain", LONGEST_DOMAIN),
            source=fields.optional_text(row, "source"),
            topic=fields.optional_text(row, "topic", LONGEST_TOPIC),
            frequency=fields.optional_text(row, "frequency", LONGEST_FREQUENCY),
            nationality=fields.optional_text(row, "nationality", LONGEST_NATIONALITY),
        ),
        text="" if abstained else fields.filled_text(row, "response"),
        segments=() if abstained else _segments(row),
        abstained=abstained,
        samples=tuple(fields.texts(row, "samples")) if "samples" in row else (),
        references=tuple(ImportedReference(url, None) for url in fields.texts(row, "references"))
        if "references" in row
        else (),
        subject=subject,
        language=language,
        extra={"language": language} if language else {},
        # Last, when every field is known to be sound: half a surrogate pair cannot be encoded.
        content_hash=content_hash({**content, "subject": subject}),
    )


def _language(row: Fields) -> str:
    """A key of LANGUAGES, in whatever country it is written; "" for a row that names none."""
    said = fields.optional_text(row, "language")
    language = said.lower().replace("_", "-").partition("-")[0]
    if language and language not in LANGUAGES:
        raise RowError(f"language is {describe(said)}, and must be one of {', '.join(LANGUAGES)}")
    return language


def _segments(row: Fields) -> tuple[SegmentRow, ...] | None:
    if "segments" not in row:
        return None
    segments = fields.texts(row, "segments")
    if not any(segment.strip() for segment in segments):
        raise RowError("segments is empty")
    return tuple(SegmentRow(segment) for segment in segments)
