"""How far labels follow suggestions.

References
----------
docs/statistics.md, Suggestions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Ints, known, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums
from stats.intervals import difference_interval, effective_interval, why_withheld


@dataclass(frozen=True)
class Following:
    """The share of a group's labels that have the value of the suggestion, and by how much it is above that of the
    last group.

    Attributes
    ----------
    n : int
        Labels.
    share, difference : None where undefined
    interval, around_difference : None where there is none
    withheld : the reason why a defined share has no interval; "" otherwise
    """

    n: int
    share: float | None
    interval: Interval | None
    withheld: str
    difference: float | None
    around_difference: Interval | None


def following(alike: Flags, prompt: Ints, groups: Sequence[Flags], resampling: Resampling) -> list[Following]:
    """One of each group; all are figures of the same draws.

    Parameters
    ----------
    alike : (N,)
        Whether each label has the value of the suggestion.
    prompt : (N,) int
        Number of each label's cluster.
    groups : sequence of (N,)
        Which labels are of the group; the last is the one that saw none.
    resampling : of the clusters
    """
    members = np.stack(groups, axis=1)
    columns = np.concatenate([members & alike[:, None], members], axis=1).astype(np.float64)
    own = cluster_sums(prompt, columns, len(resampling.strata))
    wanted = len(groups)
    whole, totals = own.sum(axis=0), resampling.totals(own)
    shares = ratio(whole[:wanted], whole[wanted:])
    drawn = ratio(totals[:, :wanted], totals[:, wanted:])
    clusters = (own[:, wanted:] > 0).sum(axis=0)
    described = []
    for place in range(wanted):
        share, count = known(shares[place]), int(clusters[place])
        interval = effective_interval(share, drawn[:, place], count)
        withheld = "" if share is None or interval else why_withheld(count)
        difference = known(shares[place] - shares[-1]) if place < wanted - 1 else None
        around = difference_interval(difference, drawn[:, place] - drawn[:, -1], min(count, int(clusters[-1])))
        described.append(Following(int(whole[wanted + place]), share, interval, withheld, difference, around))
    return described
