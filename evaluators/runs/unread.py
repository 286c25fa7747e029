"""Why units of a run have no verdict, and what to do about it."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import Left

from evaluators.models import Run
from evaluators.runs.progress import RunProgress

MANY = 0.1  # of the units without a verdict, a share that a run says at its head
COMMONEST = 3
LONGEST_SHOWN = 200
TO_DO = {
    "cut_off": "Raise the longest answer (max_tokens): a model that thinks first needs thousands of tokens.",
    "refused": "The model or its filter would not answer: ask another model, or another endpoint.",
    "unparsed": "Look at the answers: another model, prompt set or answer parsing may do.",
}


@dataclass(frozen=True)
class UnreadUnits:
    """Units of a run without a verdict: the answer was cut off, was refused, or is of no form that can be read.

    units: those and the ones with a verdict. answers: the beginnings of the commonest of these answers, and of how many
    units each is.
    """

    units: int
    cut_off: int
    refused: int
    unparsed: int
    answers: tuple[tuple[str, int], ...]

    @property
    def count(self) -> int:
        return self.cut_off + self.refused + self.unparsed

    @property
    def is_all(self) -> bool:
        return 0 < self.count == self.units

    @property
    def is_many(self) -> bool:
        return self.count > MANY * self.units

    def reasons(self) -> str:
        """Such as "3 cut off at the longest answer, 1 not parsed"."""
        counts = ((self.cut_off, "cut off at the longest answer"), (self.refused, "refused"))
        return ", ".join(f"{count:,} {why}" for count, why in (*counts, (self.unparsed, "not parsed")) if count)

    def to_do(self) -> list[str]:
        return [sentence for reason, sentence in TO_DO.items() if getattr(self, reason)]

    def in_words(self) -> str:
        """One line, as a command and a failed run say it."""
        said = "; ".join(f"{text!r} ({units:,})" for text, units in self.answers if text)
        commonest = f" The commonest answers: {said}." if said else ""
        return f"{self.count:,} of {self.units:,} units have no verdict: {self.reasons()}.{commonest} " + " ".join(
            self.to_do()
        )


def unread_of(run: Run, now: RunProgress) -> UnreadUnits:
    """now: the run's progress, which has counted them. In one query more, none where all units have a verdict."""
    count = now.unparsed + now.refused + now.cut_off
    answers = _commonest(run) if count else ()
    return UnreadUnits(now.predicted + count, now.cut_off, now.refused, now.unparsed, answers)


def _commonest(run: Run) -> tuple[tuple[str, int], ...]:
    unread: QuerySet[Any] = (
        run.sentence_edits.filter(text__isnull=True) if run.edits else run.predictions.filter(unparsed=True)
    )
    said = unread.order_by().annotate(said=Left("calls__answer" if run.edits else "rationale", LONGEST_SHOWN))
    answers = said.values_list("said").annotate(units=Count("pk", distinct=True)).order_by("-units", "said")
    return tuple((" ".join((text or "").split()), units) for text, units in answers[:COMMONEST])
