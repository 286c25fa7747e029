"""How well a method extracts claims by itself, beside the units that people judge.

References
----------
docs/statistics.md, Extracted claims.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from stats.arrays import Flags, Ints
from stats.bootstrap import Resampling
from stats.detection import MISSING, Decisions, roll_up
from stats.proportions import ClusteredShare, shares_where

NO_CLAIMS, NO_UNITS, NO_GOLD = "no claim", "no unit with gold", "no claim is aligned to a unit with gold"
NOT_EXTRACTED = "judged without claims of its own"


@dataclass(frozen=True)
class ExtractionFigureKind:
    """A figure of extraction. of_claims: a share of claims, not of units. why: the reason where there is none."""

    title: str
    help: str
    of_claims: bool
    why: str


# In the order of pages and documents.
FIGURES: Mapping[str, ExtractionFigureKind] = {
    "claim_precision": ExtractionFigureKind(
        "Claim precision",
        "Share of the claims aligned to units with gold whose verdict is that of gold",
        of_claims=True,
        why=NO_GOLD,
    ),
    "unit_coverage": ExtractionFigureKind(
        "Units covered", "Share of the units with gold to which a claim is aligned", of_claims=False, why=NO_UNITS
    ),
    "missing_units": ExtractionFigureKind(
        "Units missed", "Share of the units with gold to which no claim is aligned", of_claims=False, why=NO_UNITS
    ),
    "invented_claims": ExtractionFigureKind(
        "Claims invented", "Share of the claims that are aligned to no unit", of_claims=True, why=NO_CLAIMS
    ),
    "merged_claims": ExtractionFigureKind(
        "Claims merged", "Share of the claims that are aligned to several units", of_claims=True, why=NO_CLAIMS
    ),
}


class ExtractionFigure(TypedDict):
    """`count` of `n` units or claims. share: None where n is 0, and `why` then says so; interval: None where there is
    none, or where it rests on too few prompts."""

    count: int
    n: int
    share: float | None
    interval: list[float] | None
    why: str


class ExtractionPart(TypedDict):
    """claims: of the responses that the run judged by claims; units: those with gold in them; left_out: the number of
    responses with gold that it judged without; figures: by the keys of FIGURES."""

    claims: int
    units: int
    left_out: int
    figures: dict[str, ExtractionFigure]


class Extraction(ExtractionPart):
    """slices: the same of each slice, by its name."""

    slices: dict[str, ExtractionPart]


@dataclass(frozen=True)
class ExtractionColumns:
    """Claims and units of the responses that a run judged.

    Attributes
    ----------
    gold : (U,) int8
        Decisions of gold on all units, MISSING where it has none.
    unit_prompt : (U,) int
        Number of each unit's prompt among those that are resampled.
    said : (C,) int8
        Decisions of the run on its claims.
    claim_prompt : (C,) int
    claim, unit : (A,) int
        The alignments: a claim's number and a unit's.
    slices : names of the slices; responses of none count in the whole alone
    unit_slice, claim_slice : (U,) and (C,) int
        Places in `slices`, −1 for none.
    left_out_slice : (L,) int
        The same of the responses with gold that the run judged without claims, which are left out.
    """

    gold: Decisions
    unit_prompt: Ints
    said: Decisions
    claim_prompt: Ints
    claim: Ints
    unit: Ints
    slices: Sequence[str]
    unit_slice: Ints
    claim_slice: Ints
    left_out_slice: Ints

    def within(self, place: int) -> "ExtractionColumns":
        """Those of a slice: units outside have no gold, claims outside are not there."""
        inside = self.claim_slice == place
        number, kept = np.cumsum(inside) - 1, inside[self.claim]
        return replace(
            self,
            gold=np.where(self.unit_slice == place, self.gold, np.int8(MISSING)),
            said=self.said[inside],
            claim_prompt=self.claim_prompt[inside],
            claim=number[self.claim[kept]],
            unit=self.unit[kept],
            claim_slice=self.claim_slice[inside],
            left_out_slice=self.left_out_slice[self.left_out_slice == place],
        )


def describe_extraction(columns: ExtractionColumns, resampling: Resampling) -> Extraction:
    """The figures of all and of each slice, with whole prompts resampled."""
    parts = {name: _describe(columns.within(place), resampling) for place, name in enumerate(columns.slices)}
    return {**_describe(columns, resampling), "slices": parts}


def _describe(columns: ExtractionColumns, resampling: Resampling) -> ExtractionPart:
    """The figures.

    A claim that is aligned to several units is right where it is called an error and gold calls one of them an error,
    or correct and gold calls all of them correct; units without gold do not count. An unparsed claim is never right.
    """
    claims, with_gold = len(columns.said), columns.gold != MISSING
    aligned = np.bincount(columns.claim, minlength=claims)
    judged = with_gold[columns.unit]
    true = roll_up(columns.gold[columns.unit[judged]], columns.claim[judged], claims)
    covered = np.bincount(columns.unit, minlength=len(columns.gold)) > 0
    every = np.ones(claims, dtype=np.bool_)
    of_claims = _shares(
        [columns.said == true, aligned == 0, aligned > 1],
        [true != MISSING, every, every],
        columns.claim_prompt,
        resampling,
    )
    of_units = _shares([covered, ~covered], [with_gold, with_gold], columns.unit_prompt, resampling)
    precision, invented, merged = of_claims
    found = dict(zip(FIGURES, (precision, *of_units, invented, merged), strict=True))
    units, left_out = int(with_gold.sum()), len(columns.left_out_slice)
    nothing_left = bool(left_out) and not claims and not units
    return {
        "claims": claims,
        "units": units,
        "left_out": left_out,
        "figures": {
            key: _figure(share, NOT_EXTRACTED if nothing_left else FIGURES[key].why) for key, share in found.items()
        },
    }


def _shares(
    hits: Sequence[Flags], counted: Sequence[Flags], cluster: Ints, resampling: Resampling
) -> list[ClusteredShare]:
    return shares_where(np.stack(hits, axis=1), np.stack(counted, axis=1), cluster, resampling)


def _figure(share: ClusteredShare, why: str) -> ExtractionFigure:
    return {
        "count": share.count,
        "n": share.n,
        "share": share.share,
        "interval": None if share.interval is None else share.interval.ends(),
        "why": why if share.share is None else "",
    }
