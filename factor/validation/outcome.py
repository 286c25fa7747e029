"""The outcome of a completion from the verdicts of its raters.

An answer holds where more than half of the raters give it; where they are divided it is open until an adjudicator
settles it. The error type is that of more than half of the raters who call the completion non-factual.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Answer = TypeVar("Answer", bound=Hashable)


class Verdict(Protocol):
    """The answers of one person; `error_type` is "" where they do not call the completion non-factual."""

    non_factual: bool
    fluent: bool
    self_consistent: bool
    error_type: str


@dataclass(frozen=True)
class CompletionOutcome:
    """An answer is None where it is open. `error_type` is "" where the completion is factual."""

    non_factual: bool | None
    fluent: bool | None
    self_consistent: bool | None
    error_type: str | None

    @property
    def open(self) -> tuple[str, ...]:
        """The questions that an adjudicator has to settle."""
        return tuple(name for name, answer in vars(self).items() if answer is None)


def outcome_of(verdicts: Sequence[Verdict], settlement: Verdict | None = None) -> CompletionOutcome:
    """The outcome of one completion: its settlement where there is one, else the answers of more than half."""
    if settlement is not None:
        answers = settlement.non_factual, settlement.fluent, settlement.self_consistent, settlement.error_type
        return CompletionOutcome(*answers)
    non_factual = majority([each.non_factual for each in verdicts])
    types = [each.error_type for each in verdicts if each.non_factual]
    return CompletionOutcome(
        non_factual,
        majority([each.fluent for each in verdicts]),
        majority([each.self_consistent for each in verdicts]),
        "" if non_factual is False else majority(types) if non_factual else None,
    )


def majority(answers: Sequence[Answer]) -> Answer | None:
    """The answer of more than half of them; None where no answer has so many."""
    if not answers:
        return None
    answer, count = Counter(answers).most_common(1)[0]
    return answer if 2 * count > len(answers) else None
