"""Rows of any of the formats, read and checked: plain data, no database."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

LONGEST_INDEX = 500
LONGEST_SUBJECT = 200
LONGEST_DOMAIN = 100
LONGEST_TOPIC = 300
LONGEST_FREQUENCY = 50
LONGEST_NATIONALITY = 100


@dataclass(frozen=True, slots=True)
class PromptRow:
    text: str
    domain: str = ""
    source: str = ""
    topic: str = ""
    frequency: str = ""
    nationality: str = ""


@dataclass(frozen=True, slots=True)
class ImportedJudgement:
    """A judgement that came with the file: a value and error type of annotate/models/values.py."""

    value: str
    error_type: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FactRow:
    """An atomic fact; `judged` is None for a model's facts, which the file does not judge."""

    text: str
    judged: ImportedJudgement | None = None


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment; `judged` is None where the file judges its facts instead, or nothing."""

    text: str
    judged: ImportedJudgement | None = None
    relevant: bool = True
    human_facts: tuple[FactRow, ...] = ()
    model_facts: tuple[FactRow, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedReference:
    """The i-th url and the i-th retrieved content of a response; None where one list is shorter than the other."""

    url: str | None
    content: str | None


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """A response with all that stands in its row.

    index: its key in the dataset; None: the row names none and its line number serves.
    segments: None where the file gives none and the sentences of the text are taken.
    content_hash: the same for the same row, in whatever order its keys stand.
    samples: the subject's other answers to the same prompt.
    warnings: corrections without which the row could not be kept.
    """

    index: str | None
    prompt: PromptRow
    text: str
    segments: tuple[SegmentRow, ...] | None
    content_hash: str
    subject: str = ""
    abstained: bool = False
    references: tuple[ImportedReference, ...] = ()
    samples: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


# Reads one parsed line; the second argument is the subject model named for the whole file ("" if none).
RowReader = Callable[[dict[str, Any], str], ResponseRow]


def content_hash(content: Mapping[str, Any]) -> str:
    """SHA-256 of the content as canonical JSON: 64 hexadecimal digits."""
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
