"""What a person says of a false completion, before it is written down."""

from dataclasses import dataclass

from annotate.one_by_one import WordError
from factor.models import ErrorType

NOTE_LIMIT = 2_000
QUESTIONS = ("non_factual", "fluent", "self_consistent")


@dataclass(frozen=True)
class Word:
    """Answers to the three questions, None where one is missing; `error_type` of a non-factual completion, else ""."""

    non_factual: bool | None
    fluent: bool | None
    self_consistent: bool | None
    error_type: str = ""
    note: str = ""

    def check(self) -> None:
        """Raises WordError unless it is whole."""
        if len(self.note) > NOTE_LIMIT or "\x00" in self.note:
            raise WordError(f"The note may be {NOTE_LIMIT:,} characters long, without a null character.")
        if self.non_factual is None or self.fluent is None or self.self_consistent is None:
            raise WordError("Answer all three questions.")
        if self.non_factual and self.error_type not in ErrorType.values:
            raise WordError("Say in what the completion is wrong: choose one of the five error types.")
        if not self.non_factual and self.error_type:
            raise WordError("A completion that does not contradict the original has no error type.")

    def answers(self) -> dict[str, bool | str | None]:
        """By the names of the columns of `Verdict`."""
        said = {question: getattr(self, question) for question in QUESTIONS}
        return {**said, "error_type": self.error_type, "note": self.note}
