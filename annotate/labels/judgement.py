"""One judgement as it is written down, and the rules it obeys (definitions.md §1)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from annotate.corpus.fields import UNSTORABLE
from annotate.models import Dataset, ErrorType, Scheme, Value

REASON_LIMIT = 10_000
REFERENCE_LIMIT = 2_000
REFERENCES_LIMIT = 50


class JudgementError(ValueError):
    """A judgement that breaks a rule; the message says which."""


@dataclass(frozen=True)
class Judgement:
    """`value` and `error_type` are "" while nothing is chosen; `references` are links, in the order given."""

    value: str = ""
    error_type: str = ""
    reason: str = ""
    references: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return self == Judgement()

    def stored(self) -> dict[str, Any]:
        """As it stands in a draft."""
        return {**asdict(self), "references": list(self.references)}

    @classmethod
    def from_stored(cls, stored: dict[str, Any]) -> "Judgement":
        return cls(stored["value"], stored["error_type"], stored["reason"], tuple(stored["references"]))


def check_judgement(judgement: Judgement, dataset: Dataset, whole_sentence: bool) -> Judgement:
    """The judgement in its regular form, or JudgementError.

    FELM: the type irrelevant and the value irrelevant go together, one brings the other; a supported segment is left as
    it is. FActScore: no error types, and `whole_sentence` (a sentence judged as one) can only be irrelevant.
    """
    if judgement.value not in ("", *Value.values):
        raise JudgementError(f"unknown value {judgement.value!r}")
    if judgement.error_type not in ("", *dataset.error_types):
        raise JudgementError(f"unknown error type {judgement.error_type!r}")
    _check_texts(judgement.reason, judgement.references)
    if dataset.scheme == Scheme.FACTSCORE:
        if judgement.error_type:
            raise JudgementError("atomic facts have no error types")
        if whole_sentence and judgement.value not in ("", Value.IRRELEVANT):
            raise JudgementError("a sentence judged as a whole can only be irrelevant: judge its facts")
        return judgement
    if judgement.value == Value.SUPPORTED:
        return judgement
    if Value.IRRELEVANT in (judgement.value, judgement.error_type):
        if judgement.error_type not in ("", ErrorType.IRRELEVANT):
            raise JudgementError(f"an irrelevant segment cannot be of the type {judgement.error_type}")
        return replace(judgement, value=Value.IRRELEVANT.value, error_type=ErrorType.IRRELEVANT.value)
    return judgement


def _check_texts(reason: str, references: Sequence[str]) -> None:
    if len(reason) > REASON_LIMIT:
        raise JudgementError(f"the reason is longer than {REASON_LIMIT:,} characters")
    if len(references) > REFERENCES_LIMIT:
        raise JudgementError(f"there are more than {REFERENCES_LIMIT} references")
    if any(len(reference) > REFERENCE_LIMIT for reference in references):
        raise JudgementError(f"a reference is longer than {REFERENCE_LIMIT:,} characters")
    if any(UNSTORABLE.search(text) for text in (reason, *references)):
        raise JudgementError("a text holds a character that the database cannot keep")
