"""The spread of a score over subsets of the prompts.

References
----------
Min et al. (2023), FActScore, appendix B.2, figure 5. docs/statistics.md, FActScore of a subject model.
"""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, ratio
from stats.bootstrap import SEED
from stats.ranks import same_order

SIZES = (40, 100, 200)
DRAWS = 100


def draw_subsets(cells: Ints, size: int, draws: int = DRAWS, seed: int = SEED) -> Flags:
    """Subsets of the prompts, drawn without replacement and evenly over cells.

    A cell gives every prompt it has before any gives more than is even. Where the size is no multiple of the cells,
    those that give one more are drawn.

    Parameters
    ----------
    cells : (P,) int
        Number of each prompt's cell.
    size : int
        At most P.
    draws : int
    seed : int

    Returns
    -------
    (draws, P) bool
    """
    generator = np.random.default_rng([seed, size])
    counts = np.bincount(cells)
    first = np.cumsum(counts) - counts
    chosen = np.zeros((draws, len(cells)), dtype=np.bool_)
    for subset in chosen:
        shuffled = generator.permutation(len(cells))
        by_cell = shuffled[np.argsort(cells[shuffled], kind="stable")]
        turn = np.arange(len(cells)) - first[cells[by_cell]]
        subset[by_cell[np.lexsort((generator.random(len(cells)), turn))[:size]]] = True
    return chosen


class SubjectMoments(TypedDict):
    """Mean and standard deviation over the draws with a score; the deviation is None below two of them."""

    mean: float | None
    deviation: float | None


class SpreadSubject(SubjectMoments):
    subject: str


class SpreadFigures(TypedDict):
    """ranking_kept: the share of draws that order the subjects as all prompts do; None below two subjects with a score.

    Where there are fewer prompts than a subset takes, `subjects` is empty and `undefined` gives the reason.
    """

    subjects: list[SpreadSubject]
    ranking_kept: float | None
    undefined: NotRequired[str]


class Spread(SpreadFigures):
    """Spread over subsets of one size (docs/commands.md, `score_subjects`)."""

    size: int
    draws: int
    seed: int
    cells: int


def describe_spread(
    scores: Floats,
    subject: Ints,
    subjects: list[str],
    prompt: Ints,
    cells: Ints,
    sizes: Sequence[int] = SIZES,
    draws: int = DRAWS,
) -> list[Spread]:
    """The spread of the subjects' scores for each size of subset.

    Parameters
    ----------
    scores : (R,)
        Of each response, nan where it has none.
    subject, prompt : (R,) int
    subjects : their names
    cells : (P,) int
        Number of each prompt's cell.
    sizes, draws : how many prompts a subset has, and how many subsets are drawn

    Returns
    -------
    A Spread for each size.
    """
    known_rows = ~np.isnan(scores)
    shape = (len(cells), len(subjects))
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (prompt[known_rows], subject[known_rows]), scores[known_rows])
    np.add.at(counts, (prompt[known_rows], subject[known_rows]), 1)
    whole = ratio(sums.sum(axis=0), counts.sum(axis=0))
    return [
        {
            "size": size,
            "draws": draws,
            "seed": SEED,
            "cells": len(np.unique(cells)),
            **_describe(size, draws, sums, counts, whole, subjects, cells),
        }
        for size in sizes
    ]


def _describe(
    size: int, draws: int, sums: Floats, counts: Floats, whole: Floats, subjects: list[str], cells: Ints
) -> SpreadFigures:
    if size > len(cells):
        why = f"it takes {size} prompts, and there are {len(cells)}"
        return {"subjects": [], "ranking_kept": None, "undefined": why}
    chosen = draw_subsets(cells, size, draws).astype(np.float64)
    drawn = ratio(chosen @ sums, chosen @ counts)
    scored = ~np.isnan(whole)
    orders_kept = same_order(np.broadcast_to(whole[scored], (draws, int(scored.sum()))), drawn[:, scored])
    orders_kept = orders_kept[~np.isnan(orders_kept)]
    return {
        "subjects": [{"subject": name, **_moments(drawn[:, place])} for place, name in enumerate(subjects)],
        "ranking_kept": float(orders_kept.mean()) if scored.sum() > 1 and len(orders_kept) else None,
    }


def _moments(drawn: Floats) -> SubjectMoments:
    defined = drawn[~np.isnan(drawn)]
    return {
        "mean": float(defined.mean()) if len(defined) else None,
        "deviation": float(defined.std(ddof=1)) if len(defined) > 1 else None,
    }
