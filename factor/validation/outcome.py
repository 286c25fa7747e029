"""The outcome of a completion from the verdicts of its raters.

An answer stands where more than half of the raters give it; where they are divided it is open until an adjudicator
settles it. The error type is that of more than half of those who call the completion non-factual.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Answer = TypeVar("Answer", bound=Hashable)


@dataclass(frozen=True)
class VerdictOf:
    """One person's whole verdict; `error_type` is "" where they do not call the completion non-factual."""

    who: str
    non_factual: bool
    fluent: bool
    self_consistent: bool
    error_type: str
    note: str = ""


@dataclass(frozen=True)
class Outcome:
    """None where it is open. `error_type` is "" where the completion was found factual."""

    non_factual: bool | None
    fluent: bool | None
    self_consistent: bool | None
    error_type: str | None

    @property
    def open(self) -> tuple[str, ...]:
        """What an adjudicator has to settle."""
        return tuple(name for name, answer in vars(self).items() if answer is None)


def outcome_of(verdicts: Sequence[VerdictOf], settled: VerdictOf | None = None) -> Outcome:
    """Of one completion: the settlement where there is one, else what more than half of its raters answer."""
    if settled is not None:
        return Outcome(settled.non_factual, settled.fluent, settled.self_consistent, settled.error_type)
    non_factual = majority([each.non_factual for each in verdicts])
    types = [each.error_type for each in verdicts if each.non_factual]
    return Outcome(
        non_factual,
        majority([each.fluent for each in verdicts]),
        majority([each.self_consistent for each in verdicts]),
        "" if non_factual is False else majority(types) if non_factual else None,
    )


def majority(answers: Sequence[Answer]) -> Answer | None:
    """What more than half of them are; None where nothing is."""
    if not answers:
        return None
    answer, count = Counter(answers).most_common(1)[0]
    return answer if 2 * count > len(answers) else None
