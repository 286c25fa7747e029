"""One judgement as it is written down, and the rules it obeys (docs/statistics.md, Values of a judgement)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.models import Dataset, ErrorType, Irrelevance, ReferenceLink, Scheme, Stance, UnitMark, Value
from core.row_fields import UNSTORABLE

REASON_LIMIT = 10_000
QUOTE_LIMIT = 10_000
MARK_NOTE_LIMIT = 1_000
REFERENCE_LIMIT = 2_000
REFERENCES_LIMIT = 50
# Of an entry, "" for none; read once, for Django lists the values of choices anew each time.
VALUES = frozenset(("", *Value.values))
IRRELEVANCES = frozenset(("", *Irrelevance.values))
STANCES = frozenset(("", *Stance.values))
MARKS = frozenset(("", *UnitMark.Kind.values))
# The fields that stand in a draft only where the unit is marked.
MARK_FIELDS = ("mark", "mark_note")
# What is judged in the schemes without error types.
UNITS: dict[str, str] = {Scheme.FACTSCORE: "atomic facts", Scheme.CLAIMS: "claims"}


class JudgementError(ValueError):
    """A judgement that breaks a rule; the message says which."""


@dataclass(frozen=True)
class CitedReference:
    """A card: the address, the quoted passage, and its stance towards the unit (a Stance, "" if none).

    `document` and `snapshot` are primary keys of the knowledge source's page and of the frozen page of the web that
    the quote stands in; `url` is "" only where there is a document. A draft holds no `snapshot`: the address is enough,
    and numbers of snapshots are not for annotators.
    """

    url: str = ""
    quote: str = ""
    stance: str = ""
    document: int | None = None
    snapshot: int | None = None

    @classmethod
    def from_stored(cls, stored: str | dict[str, Any]) -> "CitedReference":
        """As a draft holds it; drafts of old hold the link alone, or a number of a snapshot too, which is dropped."""
        return cls(stored) if isinstance(stored, str) else cls(**{**stored, "snapshot": None})

    def stored(self) -> dict[str, Any]:
        """As it stands in a draft."""
        return {"url": self.url, "quote": self.quote, "stance": self.stance, "document": self.document}

    @classmethod
    def from_link(cls, link: ReferenceLink) -> "CitedReference":
        return cls(link.url or "", link.quote, link.stance, link.document_id, link.snapshot_id)

    def columns(self) -> dict[str, Any]:
        """Those of a ReferenceLink, without its owner and place."""
        return {
            "url": self.url or None,
            "quote": self.quote,
            "stance": self.stance,
            "document_id": self.document,
            "snapshot_id": self.snapshot,
        }


@dataclass(frozen=True)
class UnitJudgement:
    """`value`, `error_type` and `irrelevance` are "" while nothing is chosen; `references` in the order given.

    `flagged`: the annotator wants somebody to look at it. `mark`: what they say of the unit itself (a UnitMark.Kind,
    for nothing), with a note; it changes no label.
    """

    value: str = ""
    error_type: str = ""
    reason: str = ""
    references: tuple[CitedReference, ...] = ()
    irrelevance: str = ""
    flagged: bool = False
    mark: str = ""
    mark_note: str = ""

    @property
    def empty(self) -> bool:
        return self == UnitJudgement()

    def stored(self) -> dict[str, Any]:
        """As it stands in a draft."""
        stored = {**vars(self), "references": [reference.stored() for reference in self.references]}
        # Few units are marked: a draft does not grow by the others.
        return stored if self.mark else {key: stored[key] for key in stored if key not in MARK_FIELDS}

    @classmethod
    def from_stored(cls, stored: dict[str, Any]) -> "UnitJudgement":
        """From a draft; one of old has no irrelevance and no flag."""
        references = tuple(CitedReference.from_stored(each) for each in stored.get("references", ()))
        return cls(**{**stored, "references": references})


def check_judgement(judgement: UnitJudgement, dataset: Dataset, whole_sentence: bool) -> UnitJudgement:
    """The judgement in its regular form, or JudgementError.

    FELM: the type irrelevant and the value irrelevant go together, one brings the other; a supported segment is left as
    it is. FActScore: no error types, an irrelevant fact has a kind (FActScore A.4), and `whole_sentence` (a
    sentence judged as one) can only be irrelevant. Claims: no error types; of them alone it can be said that the
    evidence is not enough.
    """
    check_value(judgement.value, dataset)
    if judgement.error_type not in ("", *dataset.error_types):
        raise JudgementError(f"unknown error type {judgement.error_type!r}")
    if judgement.irrelevance not in IRRELEVANCES:
        raise JudgementError(f"unknown kind of irrelevance {judgement.irrelevance!r}")
    _check_texts(judgement.reason, judgement.references)
    if judgement.mark not in MARKS:
        raise JudgementError(f"unknown mark {judgement.mark!r}")
    check_text(judgement.mark_note, "note of a mark", MARK_NOTE_LIMIT)
    if not judgement.mark:
        judgement = replace(judgement, mark_note="")
    if judgement.mark == UnitMark.Kind.NO_CLAIM and not judgement.value and _is_irrelevant_by_mark(dataset):
        judgement = replace(judgement, value=Value.IRRELEVANT.value, error_type="")
    if judgement.value != Value.IRRELEVANT or dataset.scheme != Scheme.FACTSCORE:
        judgement = replace(judgement, irrelevance="")
    if dataset.scheme != Scheme.FELM:
        if judgement.error_type:
            raise JudgementError(f"{UNITS[dataset.scheme]} have no error types")
        if dataset.scheme == Scheme.FACTSCORE and whole_sentence and judgement.value not in ("", Value.IRRELEVANT):
            raise JudgementError("a sentence judged as a whole can only be irrelevant: judge its facts")
        return judgement
    if judgement.value == Value.SUPPORTED:
        return judgement
    if Value.IRRELEVANT in (judgement.value, judgement.error_type):
        if judgement.error_type not in ("", ErrorType.IRRELEVANT):
            raise JudgementError(f"an irrelevant segment cannot be of the type {judgement.error_type}")
        return replace(judgement, value=Value.IRRELEVANT.value, error_type=ErrorType.IRRELEVANT.value)
    return judgement


def _is_irrelevant_by_mark(dataset: Dataset) -> bool:
    """An irrelevant fact has a kind, which no mark tells: there it is chosen."""
    return dataset.no_claim_is_irrelevant and dataset.scheme != Scheme.FACTSCORE


def check_value(value: str, dataset: Dataset) -> None:
    """JudgementError for a value that a unit of the dataset cannot have; "" is none yet."""
    if value not in VALUES:
        raise JudgementError(f"unknown value {value!r}")
    if value == Value.NOT_ENOUGH_EVIDENCE and dataset.scheme != Scheme.CLAIMS:
        raise JudgementError(f"{value} is a value of claims against a source, and {dataset.name} has none")


def check_text(text: str, what: str, limit: int = REASON_LIMIT) -> str:
    """The text as it is, or JudgementError naming `what` it is if no database can keep it."""
    if len(text) > limit:
        raise JudgementError(f"the {what} is longer than {limit:,} characters")
    if UNSTORABLE.search(text):
        raise JudgementError(f"the {what} holds a character that the database cannot keep")
    return text


def _check_texts(reason: str, references: Sequence[CitedReference]) -> None:
    check_text(reason, "reason")
    if len(references) > REFERENCES_LIMIT:
        raise JudgementError(f"there are more than {REFERENCES_LIMIT} references")
    for reference in references:
        check_text(reference.url, "link of a reference", REFERENCE_LIMIT)
        check_text(reference.quote, "quote of a reference", QUOTE_LIMIT)
        if reference.stance not in STANCES:
            raise JudgementError(f"unknown stance {reference.stance!r}")
        if not reference.url and reference.document is None:
            raise JudgementError("a reference names neither a link nor a document")
