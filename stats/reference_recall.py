"""Recall of subject models against lists of facts: what a response states of what its prompt's list names.

References
----------
docs/statistics.md, Recall: reference lists.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, mean_known
from stats.bootstrap import Resampling
from stats.factscore_estimation import resampled_means
from stats.intervals import effective_interval


class ReferenceRow(TypedDict):
    """Mean share of the listed facts that a subject's n responses cover; None without such a response."""

    subject: str
    n: int
    recall: float | None
    recall_interval: list[float] | None


class ReferenceRecall(TypedDict):
    """prompts: with a list; facts: on all these lists."""

    prompts: int
    facts: int
    subjects: list[ReferenceRow]


def describe_shares_covered(
    shares: Floats, subject: Ints, subjects: Sequence[str], prompt: Ints, resampling: Resampling
) -> list[ReferenceRow]:
    """The mean share of each subject; its interval resamples prompts.

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
    return [
        _describe(name, shares, counted & (subject == place), prompt, drawn[:, place])
        for place, name in enumerate(subjects)
    ]


def _describe(name: str, shares: Floats, rows: Flags, prompt: Ints, drawn: Floats) -> ReferenceRow:
    recall = mean_known(shares[rows])
    around = effective_interval(recall, drawn, len(np.unique(prompt[rows])))
    return {
        "subject": name,
        "n": int(rows.sum()),
        "recall": recall,
        "recall_interval": around.ends() if around else None,
    }
