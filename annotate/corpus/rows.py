"""Rows of any of the formats, read and checked: plain data, no database."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import RowError

LONGEST_INDEX = 500
LONGEST_SUBJECT = 200
LONGEST_DOMAIN = 100
LONGEST_TOPIC = 300
LONGEST_FREQUENCY = 50
LONGEST_NATIONALITY = 100
LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True)
class PromptRow:
    text: str
    domain: str = ""
    source: str = ""
    topic: str = ""
    frequency: str = ""
    nationality: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """Evidence of a judgement: an address, a passage, or both ("" for none), and the passage's stance ("": unknown)."""

    url: str
    text: str
    stance: str = ""


@dataclass(frozen=True, slots=True)
class ImportedJudgement:
    """A judgement that came with the file: a value and error type of annotate/models/values.py."""

    value: str
    error_type: str = ""
    reason: str = ""
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class FactRow:
    """An atomic fact; `judged` is None where the file does not judge it, as a model's facts. extra: what else it says
    of it, {} for nothing."""

    text: str
    judged: ImportedJudgement | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A stretch of the response, [start, end) in characters, with its judgement, None where it has no gold."""

    start: int
    end: int
    judged: ImportedJudgement | None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PassageRow:
    """What a claim is judged by; title and url are "" where the file has none."""

    text: str
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment, or a claim with its passages; `judged` is None where the file judges its facts instead, or nothing."""

    text: str
    judged: ImportedJudgement | None = None
    relevant: bool = True
    human_facts: tuple[FactRow, ...] = ()
    model_facts: tuple[FactRow, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    passages: tuple[PassageRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedReference:
    """The i-th url and the i-th retrieved content of a response; None where one list is shorter than the other."""

    url: str | None
    content: str | None


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """A response with all that stands in its row.

    index: its key in the dataset; None: the row names none and its line number serves.
    segments: None where the file gives none and the sentences of the text are taken. claims: facts without their
    sentences, to be aligned to these. spans: judged stretches; a sentence without one has the judgement `elsewhere`.
    content_hash: the same for the same row, in whatever order its keys stand.
    samples: the subject's other answers to the same prompt.
    language: that of its text, a key of LANGUAGES; "" where the row does not say.
    warnings: corrections without which the row could not be kept.
    details: what nothing else here is made of, by key; another content makes no other row.
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
    claims: tuple[FactRow, ...] = ()
    spans: tuple[SpanRow, ...] = ()
    elsewhere: ImportedJudgement | None = None
    language: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_mapped(self) -> bool:
        """Whether a recipe made it: its claims carry what the file says of them."""
        return any(fact.extra for segment in self.segments or () for fact in segment.human_facts) or bool(self.claims)

    def with_hash(self, content: str) -> "ResponseRow":
        return replace(self, content_hash=content)


# Reads one parsed line; the second argument is the subject model named for the whole file ("" if none).
RowReader = Callable[[dict[str, Any], str], ResponseRow]
# A row with its number, or in its place the fault that it has.
SourceRow = tuple[int, dict[str, Any] | RowError]
ReadRow = tuple[int, ResponseRow | RowError]
# Reads all rows of a file: a row may be several responses, or several rows one.
RowsReader = Callable[[Iterator[SourceRow], str], Iterator[ReadRow]]


def content_hash(content: Mapping[str, Any]) -> str:
    """SHA-256 of the content as canonical JSON: 64 hexadecimal digits."""
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
