"""Which of several scorings of the same is read where one is to be held against others."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from factor.models import Scoring
from factor.results.report_types import ScoringFigures

Kind = TypeVar("Kind", bound=Hashable)


def standing(scorings: Iterable[ScoringFigures], kind: Callable[[ScoringFigures], Kind]) -> dict[Kind, ScoringFigures]:
    """By kind the scoring that stands for it: a finished one, then the one of most decided examples, then the latest.

    scorings: as the report has them. A scoring that has barely begun so takes no place from a complete one.
    """
    return {kind(each): each for each in sorted(scorings, key=_fullness)}


def without_prefix(scorings: Iterable[ScoringFigures]) -> dict[tuple[str, bool], ScoringFigures]:
    """By the model's name, and whether texts began with the start token, its scoring without the prefix."""
    return standing((each for each in scorings if not each["with_prefix"]), begun)


def begun(scoring: ScoringFigures) -> tuple[str, bool]:
    return scoring["model"], scoring["start_token"]


def _fullness(scoring: ScoringFigures) -> tuple[bool, int, int]:
    return scoring["state"] == Scoring.State.FINISHED, scoring["n"], scoring["scoring"]
