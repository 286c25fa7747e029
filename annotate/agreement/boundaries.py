"""Where people differ in what they judge, told apart from how they judge it.

Facts: people split or merge what a model proposed (FActScore A.2; docs/statistics.md, Sizes). Scope: one calls a
sentence irrelevant as a whole where another judges its facts; they share no unit there, so it is no disagreement on a
label.
"""

from typing import Any

import numpy as np

from annotate.agreement.ratings import Said
from annotate.agreement.resampling import Flags, Floats, Ints, Resampling, cluster_sums, interval, known, ratio

REASONS = {
    "split": "no relevant sentence has both facts of a model and facts of people",
    "scope": "no sentence was judged by two annotators",
}


def split(human: Ints, model: Ints) -> Flags:
    """Per sentence: people wrote more facts than a model."""
    return human > model


def merged(human: Ints, model: Ints) -> Flags:
    """Per sentence: people wrote fewer facts than a model."""
    return human < model


def describe_boundaries(human: Ints, model: Ints, counted: Flags, cluster: Ints, strata: Ints) -> dict[str, Any]:
    """Shares of sentences with more (`split`) and with fewer (`merged`) human than model facts.

    human, model: facts of each sentence; counted: whether it is relevant, has human facts, and a model proposed facts
    for its response; cluster: its prompt's row, strata: the stratum of each prompt. n: sentences counted.
    """
    flags = {"split": split(human, model), "merged": merged(human, model)}
    shares = {name: _share(flag, counted, cluster, strata, REASONS["split"]) for name, flag in flags.items()}
    return {"n": int(counted.sum()), **shares}


def describe_scope(said: Said, segments: Ints, cluster: Ints, strata: Ints) -> dict[str, Any]:
    """Of sentences that two or more judged, the share that some call irrelevant as a whole and others do not.

    segments: primary keys; cluster and strata as above. n: sentences that two or more judged; disputed: those of them.
    """
    whole, by_facts = scopes(said)
    keys = segments.tolist()
    raters = [whole.get(key, set()) | by_facts.get(key, set()) for key in keys]
    counted = np.array([len(names) > 1 for names in raters], dtype=np.bool_)
    disputed = np.array([key in whole and not by_facts.get(key, set()) <= whole[key] for key in keys], dtype=np.bool_)
    share = _share(disputed, counted, cluster, strata, REASONS["scope"])
    return {"n": int(counted.sum()), "disputed": int(disputed.sum()), **share}


def scopes(said: Said) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
    """By sentence: who judged it as a whole, and who judged its facts."""
    whole: dict[int, set[str]] = {}
    by_facts: dict[int, set[str]] = {}
    for (segment, fact), values in said.items():
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
    around = interval(ratio(*Resampling(strata[present]).totals(sums).T), len(present))
    return {"share": share, "interval": around.ends() if around else None}
