"""Dates of documents held against the date up to which a model was trained (FACTOR §4.2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Dates:
    """How many documents are dated up to the cut-off, on the day itself among them, so that the model may have been
    trained on them; after it; and not at all."""

    before: int
    after: int
    undated: int


def held_against(cutoff: date, dates: Iterable[date | None]) -> Dates:
    known = list(dates)
    before = sum(1 for each in known if each is not None and each <= cutoff)
    undated = known.count(None)
    return Dates(before, len(known) - before - undated, undated)
