"""The papers' printed figures, kept as text so that the last digit of each is known."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from annotate.corpus.published import FELM_DOMAINS
from evaluators.reproduction.rounded import Range, in_words, read

FOLDER = Path(__file__).parent / "printed"
DOMAINS = tuple(name for name in FELM_DOMAINS if name != "all")
# By domain its name in short: "Writing" for writing and recommendation.
SHORT_NAMES = {name: words.partition(" and ")[0] for name, words in FELM_DOMAINS.items()} | {"all": "All"}


@cache
def printed(paper: str) -> dict[str, Any]:
    """The tables of "felm" or "factscore" by their name in the paper, and under "text" what its sentences say."""
    tables: dict[str, Any] = json.loads((FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
    return tables


@dataclass(frozen=True)
class Contradiction:
    """A printed cell that does not follow from others. follows: the consistent figure, in words.

    apart: by how much the two miss each other at least, in the unit in which the cell is printed; None where that is no
    number.
    """

    table: str
    cell: str
    printed: str
    follows: str
    apart: float | None = None


@dataclass(frozen=True)
class Check:
    """One rule, the number of cells it was tried on, and those that break it."""

    rule: str
    cells: int
    contradictions: tuple[Contradiction, ...]


def compare(
    table: str, cell: str, text: str, stands_for: Range, follows: Range, scale: int = 100, digits: int = 1
) -> Contradiction | None:
    """None where the printed figure and the one that follows from others can be the same number.

    scale: how often the printed unit goes into 1, 100 for percentages that are kept as shares.
    """
    if stands_for.meets(follows):
        return None
    gap: Fraction = max(stands_for.low - follows.high, follows.low - stands_for.high)
    return Contradiction(table, cell, text, in_words(follows, digits, scale), float(gap * scale))


def same(table: str, cell: str, text: str, other: str) -> Contradiction | None:
    """None where two printed figures, in percent, can be the same number."""
    contradiction = compare(table, cell, text, read(text), read(other), scale=1)
    return None if contradiction is None else replace(contradiction, follows=other)


def check(rule: str, results: list[Contradiction | None]) -> Check:
    """The check of a rule from what came of each cell."""
    return Check(rule, len(results), tuple(each for each in results if each is not None))
