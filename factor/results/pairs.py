"""Pairs of scorings as the pages tell them."""

from collections.abc import Sequence
from typing import Any

from factor.results.shown import ScoringRow

Document = dict[str, Any]
SMALLEST_TOLD = 0.001


def matrix_of(pairs: Sequence[Document], rows: Sequence[ScoringRow]) -> list[tuple[str, list[Document | None]]]:
    """For each scoring its name and its accuracy less that of each, in the order of the table; None against itself."""
    keys = [row.entry["scoring"] for row in rows]
    found: dict[tuple[int, int], Document] = {}
    for pair in pairs:
        found[pair["one"], pair["other"]] = told(pair)
        found[pair["other"], pair["one"]] = turned(found[pair["one"], pair["other"]])
    return [(row.entry["name"], [found.get((row.entry["scoring"], key)) for key in keys]) for row in rows]


def named_pairs(pairs: Sequence[Document], scorings: Sequence[Document]) -> list[Document]:
    """With the scorings in place of their keys."""
    by_key = {each["scoring"]: each for each in scorings}
    return [told(pair) | {"one": by_key[pair["one"]], "other": by_key[pair["other"]]} for pair in pairs]


def told(pair: Document) -> Document:
    """With whether it is sure, and its adjusted p in words."""
    p = pair["p_holm"]
    words = "" if p is None else "p < 0.001" if p < SMALLEST_TOLD else f"p = {p:.3f}"
    return pair | {"sure": pair["better"] is not None, "told_p": words}


def turned(pair: Document) -> Document:
    """The same, seen from the other."""
    around, difference = pair["interval"], pair["difference"]
    return pair | {
        "one": pair["other"],
        "other": pair["one"],
        "difference": None if difference is None else -difference,
        "interval": None if around is None else [-around[1], -around[0]],
    }
