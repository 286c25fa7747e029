"""The shares of each scoring: of its examples by every rule and in every group, and of its pairs by the type of error;
all with intervals from the same draws of documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from factor.models import Scoring
from factor.results.scores import ScoringScores
from factor.results.study import TYPES, BenchmarkStudy
from stats.arrays import Flags, Ints
from stats.bootstrap import Interval
from stats.factor import (
    AFTER,
    BEFORE,
    RIGHT,
    RULES,
    SIDES,
    STRATA,
    WAITING,
    outcomes_of,
    outcomes_of_pairs,
    sides_of,
    strata_of,
)
from stats.proportions import ClusteredShare, difference, shares_where

# What a share is of: ("rule", its name), ("stratum", its place), ("side", its place), ("pairs", None) or ("type", its
# place).
Key = tuple[str, str | int | None]
ALL_PAIRS: Key = ("pairs", None)
# A difference of shares and its interval; both None where one of the two has no unit.
Gap = tuple[float | None, Interval | None]


@dataclass(frozen=True)
class Parts:
    """Of one scoring: its outcomes by rule (E,), those of its pairs by the chosen rule (P,), its shares, and how much
    more it gets right after its model's cut-off than before."""

    outcomes: dict[str, Ints]
    pairs: Ints
    shares: dict[Key, ClusteredShare]
    gap: Gap


def parts_of(
    study: BenchmarkStudy, scorings: Sequence[Scoring], scores: Mapping[int, ScoringScores], rule: str
) -> dict[int, Parts]:
    """By the scorings' keys; `rule` parts examples and pairs."""
    if not scorings or not len(study.examples):
        return {}
    each_scores = [scores[each.pk] for each in scorings]
    outcomes = [
        {name: outcomes_of(study.pairs, each.margins[name], each.waiting) for name in RULES} for each in each_scores
    ]
    pairs = [outcomes_of_pairs(study.pairs, each.margins[rule], each.waiting) for each in each_scores]
    sides = [sides_of(study.dated, each.model.cutoff) for each in scorings]
    of_examples = _shares(
        [_examples(study, *each, rule) for each in zip(outcomes, sides, strict=True)], study.cluster, study
    )
    of_pairs = _shares([_pairs(study, each) for each in pairs], study.cluster[study.pairs.example], study)
    return {
        scoring.pk: Parts(
            outcomes[place],
            pairs[place],
            of_examples[place] | of_pairs[place],
            _gap(study, outcomes[place][rule], sides[place]),
        )
        for place, scoring in enumerate(scorings)
    }


def _examples(
    study: BenchmarkStudy, outcomes: Mapping[str, Ints], sides: Ints, rule: str
) -> dict[Key, tuple[Flags, Flags]]:
    """Which examples are right, and which count."""
    strata = strata_of(study.distance)
    right, decided = outcomes[rule] == RIGHT, outcomes[rule] != WAITING
    flags: dict[Key, tuple[Flags, Flags]] = {
        ("rule", name): (outcomes[name] == RIGHT, outcomes[name] != WAITING) for name in RULES
    }
    flags |= {("stratum", place): (right, decided & (strata == place)) for place in range(len(STRATA))}
    return flags | {("side", place): (right, decided & (sides == place)) for place in range(len(SIDES))}


def _pairs(study: BenchmarkStudy, outcomes: Ints) -> dict[Key, tuple[Flags, Flags]]:
    right, decided = outcomes == RIGHT, outcomes != WAITING
    flags: dict[Key, tuple[Flags, Flags]] = {ALL_PAIRS: (right, decided)}
    return flags | {("type", place): (right, decided & (study.pairs.type == place)) for place in range(len(TYPES))}


def _shares(
    columns: Sequence[Mapping[Key, tuple[Flags, Flags]]], cluster: Ints, study: BenchmarkStudy
) -> list[dict[Key, ClusteredShare]]:
    """All of them at once: drawing the documents takes longer than adding them up."""
    flat = [column for each in columns for column in each.values()]
    hits, counted = (np.stack([column[side] for column in flat], axis=1) for side in (0, 1))
    shares = iter(shares_where(hits, counted, cluster, study.resampling))
    return [{key: next(shares) for key in each} for each in columns]


def _gap(study: BenchmarkStudy, outcomes: Ints, sides: Ints) -> Gap:
    """The accuracy after the cut-off less that before it."""
    after, before = ((outcomes != WAITING) & (sides == side) for side in (AFTER, BEFORE))
    if not after.any() or not before.any():
        return None, None
    return difference(outcomes == RIGHT, after, before, study.cluster, study.resampling)
