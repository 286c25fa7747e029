"""Differences in the units that people judge, apart from those in their judgements.

Facts: people split or merge what a model proposed. Scope: one calls a sentence irrelevant as a whole where another
judges its facts; they share no unit there, so it is no disagreement on a label.

References
----------
Min et al. (2023), FActScore, appendix A.2. docs/statistics.md, Agreement between annotators.
"""

from typing import Any

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import Resampling, cluster_sums
from stats.intervals import effective_interval
from stats.ratings import ValuesByRater

REASONS = {
    "split": "no relevant sentence has both facts of a model and facts of people",
    "scope": "no sentence was judged by two annotators",
}


def split(human: Ints, model: Ints) -> Flags:
    """Whether people wrote more facts than a model, per sentence."""
    return human > model


def merged(human: Ints, model: Ints) -> Flags:
    """Whether people wrote fewer facts than a model, per sentence."""
    return human < model


def describe_boundaries(human: Ints, model: Ints, counted: Flags, cluster: Ints, strata: Ints) -> dict[str, Any]:
    """Shares of sentences with more (`split`) and with fewer (`merged`) facts of people than of a model.

    Parameters
    ----------
    human, model : (S,) int
        Facts of each sentence.
    counted : (S,) bool
        The sentence is relevant, has facts of people, and a model proposed facts for its response.
    cluster : (S,) int
        Row of each sentence's prompt.
    strata : (C,) int
        Stratum of each prompt.

    Returns
    -------
    {"n", "split", "merged"}; n: sentences counted. A share: {"share", "interval"}, or None with "undefined".
    """
    flags = {"split": split(human, model), "merged": merged(human, model)}
    shares = {name: _share(flag, counted, cluster, strata, REASONS["split"]) for name, flag in flags.items()}
    return {"n": int(counted.sum()), **shares}


def describe_scope(values: ValuesByRater, segments: Ints, cluster: Ints, strata: Ints) -> dict[str, Any]:
    """The share of sentences that some call irrelevant as a whole and others do not, of those that two or more judged.

    Parameters
    ----------
    values : the codes of values at each address, by rater
    segments : (S,) int
        Primary keys of the sentences.
    cluster, strata : as of `describe_boundaries`

    Returns
    -------
    {"n", "disputed", "share", "interval"}, share None with "undefined". n: sentences that two or more judged; disputed:
    those of them on whose scope they differ.
    """
    whole, by_facts = scopes(values)
    keys = segments.tolist()
    raters = [whole.get(key, set()) | by_facts.get(key, set()) for key in keys]
    counted = np.array([len(names) > 1 for names in raters], dtype=np.bool_)
    disputed = np.array([key in whole and not by_facts.get(key, set()) <= whole[key] for key in keys], dtype=np.bool_)
    share = _share(disputed, counted, cluster, strata, REASONS["scope"])
    return {"n": int(counted.sum()), "disputed": int(disputed.sum()), **share}


def scopes(judged: ValuesByRater) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
    """For each sentence (its key) the raters who judged it as a whole, and those who judged its facts."""
    whole: dict[int, set[str]] = {}
    by_facts: dict[int, set[str]] = {}
    for (segment, fact), values in judged.items():
        (whole if fact is None else by_facts).setdefault(segment, set()).update(values)
    return whole, by_facts


def _share(flags: Flags, counted: Flags, cluster: Ints, strata: Ints, why_not: str) -> dict[str, Any]:
    """The share of counted sentences with the flag: None with a reason where none is counted."""
    present = np.unique(cluster[counted])
    place = np.full(len(strata), -1, dtype=np.int64)
    place[present] = np.arange(len(present))
    columns: Floats = np.stack([flags[counted], np.ones(int(counted.sum()))], axis=1).astype(np.float64)
    sums = cluster_sums(place[cluster[counted]], columns, len(present))
    share = known(ratio(*sums.sum(axis=0)))
    if share is None:
        return {"share": None, "undefined": why_not}
    around = effective_interval(share, ratio(*Resampling(strata[present]).totals(sums).T), len(present))
    return {"share": share, "interval": around.ends() if around else None}
