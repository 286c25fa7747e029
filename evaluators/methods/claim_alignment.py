"""Claims that a method extracts by itself, aligned to the units that people judge (docs/methods.md, Methods with claims
of their own).

Nothing but texts is compared: neither gold nor a verdict plays a part. It is the alignment of recipes
(annotate/corpus/aligning.py), so words count by how few of the response's units hold them, with one step more, as a
claim may say what several units say:

1. Where units are segments and the claim's segment is known, that is its unit.
2. Otherwise the claim is aligned to the unit that holds the most of its words, at least half of them, and to every unit
   of whose words it holds at least MOST itself.
3. Where the claim's segment is known, units of this segment are looked at first, and all only where none of them fits.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotate.corpus.aligning import WeightedTexts, first_from

MOST = 0.8


@dataclass(frozen=True)
class AlignedUnit:
    """A unit as alignment sees it: the number of its segment, the text, and whether it is the whole segment."""

    segment: int
    text: str
    is_segment: bool


def align_to_units(claims: Sequence[tuple[str, int | None]], units: Sequence[AlignedUnit]) -> list[tuple[int, ...]]:
    """For each claim, a text and the number of its segment or None, the places of its units, rising; () for none.

    The units are in reading order; the claims in the order in which the method gives them.
    """
    texts = WeightedTexts([unit.text for unit in units])
    aligned: list[tuple[int, ...]] = []
    last = 0
    for text, segment in claims:
        own = [place for place, unit in enumerate(units) if unit.segment == segment]
        if any(units[place].is_segment for place in own):
            places = own
        else:
            everywhere = range(len(units))
            places = _among(texts, text, own, last) or _among(texts, text, everywhere, last)
        last = places[0] if places else last
        aligned.append(tuple(places))
    return aligned


def _among(texts: WeightedTexts, claim: str, units: Collection[int], last: int) -> list[int]:
    best = first_from(texts.best(claim, units), last)
    shares = texts.shares_in(claim)
    said = {place for place in units if shares[place] >= MOST}
    return sorted(said if best is None else said | {best})
