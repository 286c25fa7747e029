"""Recall of subject models against lists of facts: what a response states of what its prompt's list names.

References
----------
docs/statistics.md, Recall: reference lists.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from stats.arrays import Floats, Ints, mean_known
from stats.bootstrap import Resampling
from stats.factscore_estimation import FEWEST_OF_A_SUBJECT, resampled_means
from stats.intervals import effective_interval, why_withheld


class ReferenceRow(TypedDict):
    """Mean share of the listed facts that a subject's n responses cover; None without such a response."""

    subject: str
    n: int
    recall: float | None
    recall_interval: list[float] | None


class ReferenceMean(TypedDict):
    """Plain mean over all subjects; None where a subject lacks it, or there is none. withheld: why a mean has no
    interval, under "recall"."""

    recall: float | None
    recall_interval: list[float] | None
    withheld: dict[str, str]


class SharesCovered(TypedDict):
    """A row for each subject, and their mean."""

    subjects: list[ReferenceRow]
    mean: ReferenceMean


class ReferenceRecall(SharesCovered):
    """prompts: with a list; facts: on all these lists."""

    prompts: int
    facts: int


def describe_shares_covered(
    shares: Floats, subject: Ints, subjects: Sequence[str], prompt: Ints, resampling: Resampling
) -> SharesCovered:
    """The mean share of each subject, and the mean over subjects; intervals resample prompts, for all subjects at once.

    Parameters
    ----------
    shares : (R,)
        Of the facts on the list of each response's prompt the share that the response covers; nan where it does not
        count.
    subject : (R,) int
        Place in `subjects`, −1 where a response counts for none.
    subjects : their names
    prompt : (R,) int
    resampling : Resampling
    """
    counted = ~np.isnan(shares) & (subject >= 0)
    drawn = resampled_means(shares, counted, subject, list(subjects), prompt, resampling)
    rows = [counted & (subject == place) for place in range(len(subjects))]
    prompts = [len(np.unique(prompt[each])) for each in rows]
    described = [
        _describe(name, shares[rows[place]], prompts[place], drawn[:, place]) for place, name in enumerate(subjects)
    ]
    return {"subjects": described, "mean": _describe_mean(described, drawn, prompts)}


def _describe(name: str, shares: Floats, prompts: int, drawn: Floats) -> ReferenceRow:
    recall = mean_known(shares)
    around = effective_interval(recall, drawn, prompts)
    return {
        "subject": name,
        "n": len(shares),
        "recall": recall,
        "recall_interval": around.ends() if around else None,
    }


def _describe_mean(rows: Sequence[ReferenceRow], drawn: Floats, prompts: Sequence[int]) -> ReferenceMean:
    """drawn: (resamples, subjects), on the same draws. prompts: of each subject."""
    recalls = [row["recall"] for row in rows if row["recall"] is not None]
    if not recalls or len(recalls) < len(rows):
        return {"recall": None, "recall_interval": None, "withheld": {}}
    mean, fewest = sum(recalls) / len(recalls), min(prompts)
    around = effective_interval(mean, drawn.mean(axis=1), fewest)
    withheld = {} if around else {"recall": why_withheld(fewest, FEWEST_OF_A_SUBJECT)}
    return {"recall": mean, "recall_interval": around.ends() if around else None, "withheld": withheld}
