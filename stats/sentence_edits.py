"""How well an editor corrects sentences, against people's corrections (FActScore appendix C.2).

A sentence X, people's correction G and the editor's edit E are lists of tokens: lower-cased words without stop words
and punctuation (knowledge/words.py). Undefined figures of a sentence are None, and no mean counts them.

References
----------
Min et al. (2023), FActScore, appendix C.2. docs/statistics.md, Edits of sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, Ints, known, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums
from stats.edits import replaced
from stats.intervals import difference_interval, effective_interval, mean_interval, why_withheld
from stats.mean_pairs import compare_means
from stats.step_down import step_down

Tokens = Sequence[str]


def preserved(source: Tokens, edit: Tokens) -> list[bool]:
    """Whether each token of the source is still there in the edit, by a shortest way from one to the other."""
    kept = [True] * len(source)
    for start, end, _, _ in replaced(source, edit):
        kept[start:end] = [False] * (end - start)
    return kept


def error_localization(source: Tokens, gold: Tokens, edit: Tokens) -> float | None:
    """ErrLoc: the mean F1 of the classes "preserved" and "not preserved", of the edit's tokens against gold's.

    A class that occurs in neither does not count. None for a source without a token.
    """
    true, guessed = preserved(source, gold), preserved(source, edit)
    scores = []
    for kept in (True, False):
        both = sum(a == b == kept for a, b in zip(true, guessed, strict=True))
        either = true.count(kept) + guessed.count(kept)
        if either:
            scores.append(2 * both / either)
    return sum(scores) / len(scores) if scores else None


def edit_correctness(source: Tokens, gold: Tokens, edit: Tokens) -> float | None:
    """EditCorr: F1 of the set of tokens that the edit adds to the source against the set that gold adds.

    0 where the edit adds none. None where gold adds none.
    """
    right, added = set(gold) - set(source), set(edit) - set(source)
    return 2 * len(right & added) / (len(right) + len(added)) if right else None


def similarity_alignment(with_edit: float, with_source: float) -> float | None:
    """SimAl: how much nearer the edit is to gold than the source is, as a share of the way there was to go.

    with_edit, with_source: similarity of gold with both, from 0 to 1. None where gold is like the source already.
    """
    return max(0.0, (with_edit - with_source) / (1 - with_source)) if with_source < 1 else None


def newly_wrong(source: Tokens, gold: Tokens, edit: Tokens) -> float | None:
    """The share of the tokens that gold keeps which the edit does not keep; None where gold keeps none."""
    true, guessed = preserved(source, gold), preserved(source, edit)
    kept = true.count(True)
    return sum(a and not b for a, b in zip(true, guessed, strict=True)) / kept if kept else None


@dataclass(frozen=True)
class EditMean:
    """The mean of a figure over the `n` sentences that have it, over `prompts` of them.

    `interval` is None with the value, and below FEWEST_CLUSTERS prompts; `why` says why either is missing.
    """

    mean: float | None
    n: int
    prompts: int
    interval: Interval | None
    why: str


def mean_of(values: Floats, cluster: Ints, resampling: Resampling, undefined: str, *, bounded: bool = True) -> EditMean:
    """The mean of values (N,), nan where a sentence has none, with its interval over resampled prompts.

    Parameters
    ----------
    values : (N,)
    cluster : (N,) int
        Number of each sentence's prompt among those that are resampled.
    resampling : Resampling
    undefined : str
        Why there is no mean where no sentence has a value.
    bounded : bool
        Whether values lie between 0 and 1.
    """
    sums = _sums(values, cluster, len(resampling.strata))
    mean = known(ratio(*sums.sum(axis=0)))
    prompts = int((sums[:, 1] > 0).sum())
    totals = resampling.totals(sums)
    drawn = ratio(totals[:, 0], totals[:, 1])
    interval = effective_interval(mean, drawn, prompts) if bounded else mean_interval(mean, drawn, prompts)
    why = undefined if mean is None else "" if interval is not None else why_withheld(prompts)
    return EditMean(mean, int(sums[:, 1].sum()), prompts, interval, why)


@dataclass(frozen=True)
class EditorDifference:
    """The mean of one editor less that of another, over the `n` sentences at which both have the figure.

    p: adjusted for all pairs that were compared together; None where there is nothing to test. `why`: the reason where
    the difference or its interval is missing.
    """

    one: int
    other: int
    n: int
    difference: float | None
    interval: Interval | None
    p: float | None
    significant: bool
    why: str


def compare_editors(
    values: Floats, cluster: Ints, pairs: Sequence[tuple[int, int]], resampling: Resampling
) -> list[EditorDifference]:
    """Pairs of editors at the sentences that both edited, all decided together by a step-down over the same draws.

    Parameters
    ----------
    values : (N, M)
        A figure of N sentences by M editors, from 0 to 1; nan where undefined.
    cluster : (N,) int
    pairs : columns of two editors
    resampling : Resampling
    """
    paired = [values[:, one] - values[:, other] for one, other in pairs]
    clusters = len(resampling.strata)
    sums = [_sums(each, cluster, clusters) for each in paired]
    # Each pair is a mean of its own differences, so it is compared with a column that is 0 wherever they are known.
    wide = np.concatenate([np.stack([each[:, 0], np.zeros(clusters)], axis=1) for each in sums], axis=1)
    counts = np.concatenate([np.repeat(each[:, 1:], 2, axis=1) for each in sums], axis=1)
    tested = compare_means(wide, counts, [(2 * place, 2 * place + 1) for place in range(len(pairs))], resampling)
    decided = step_down(tested.observed, tested.draws)
    return [
        _difference(pair, each, resampling, float(decided.p[place]), bool(decided.significant[place]))
        for place, (pair, each) in enumerate(zip(pairs, sums, strict=True))
    ]


def _difference(
    pair: tuple[int, int], sums: Floats, resampling: Resampling, p: float, significant: bool
) -> EditorDifference:
    whole, prompts = sums.sum(axis=0), int((sums[:, 1] > 0).sum())
    difference = known(ratio(whole[0], whole[1]))
    totals = resampling.totals(sums)
    interval = difference_interval(difference, ratio(totals[:, 0], totals[:, 1]), prompts)
    why = "" if interval is not None else why_withheld(prompts) or "every resample gives the same difference"
    if difference is None:
        why = "no sentence at which both editors have the figure"
    return EditorDifference(*pair, int(whole[1]), difference, interval, known(np.float64(p)), significant, why)


def _sums(values: Floats, cluster: Ints, clusters: int) -> Floats:
    """Per prompt the sum of the values that are known, and how many they are (C, 2)."""
    there = ~np.isnan(values)
    columns = np.stack([np.where(there, values, 0.0), there.astype(np.float64)], axis=1)
    return cluster_sums(cluster, columns, clusters)
