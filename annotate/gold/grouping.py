"""Shares of rows in groups, with intervals by resampling prompts. Plain arrays, no database.

See docs/statistics.md, Intervals and tests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.agreement.resampling import Floats, Ints, Resampling, interval, known, ratio


@dataclass(frozen=True)
class Grouping:
    """Rows (facts, sentences or responses) in groups, of each of which the share Σpart / Σwhole is asked for.

    names: of the groups. group: the number of each row's, −1 for a row that counts nowhere. prompt: its cluster.
    """

    names: Sequence[str]
    group: Ints
    prompt: Ints
    part: Floats
    whole: Floats

    def by_prompt(self, column: Floats, prompts: int) -> Floats:
        """(prompts, groups): the column's sums."""
        rows, groups = self.group >= 0, len(self.names)
        place = self.prompt[rows] * groups + self.group[rows]
        sums: Floats = np.bincount(place, weights=column[rows], minlength=prompts * groups).astype(np.float64)
        return sums.reshape(prompts, groups)

    def sizes(self) -> Ints:
        """How many rows each group has."""
        return np.bincount(self.group[self.group >= 0], minlength=len(self.names))


# A share with its interval: {"name", "share", "interval", "n"}; share None where there is nothing to divide by,
# interval None below two prompts; n rows.
Document = dict[str, Any]


def describe_groupings(groupings: Mapping[Any, Grouping], resampling: Resampling) -> dict[Any, list[Document]]:
    """The shares of the groups of each grouping, all by the same draws of prompts."""
    prompts = len(resampling.strata)
    sums = {
        key: np.stack([each.by_prompt(each.part, prompts), each.by_prompt(each.whole, prompts)], axis=2)
        for key, each in groupings.items()
    }
    if not sums:
        return {}
    totals = resampling.totals(np.concatenate([each.reshape(prompts, -1) for each in sums.values()], axis=1))
    described, start = {}, 0
    for key, each in sums.items():
        drawn = totals[:, start : start + each[0].size].reshape(resampling.resamples, *each.shape[1:])
        described[key] = _describe(groupings[key], each, drawn)
        start += each[0].size
    return described


def _describe(grouping: Grouping, sums: Floats, drawn: Floats) -> list[Document]:
    shares = ratio(sums[:, :, 0].sum(axis=0), sums[:, :, 1].sum(axis=0))
    resampled = ratio(drawn[:, :, 0], drawn[:, :, 1])
    prompts = (sums[:, :, 1] > 0).sum(axis=0)
    rows = grouping.sizes()
    return [
        {
            "name": name,
            "share": known(shares[place]),
            "interval": _ends(resampled[:, place], int(prompts[place])),
            "n": int(rows[place]),
        }
        for place, name in enumerate(grouping.names)
    ]


def _ends(drawn: Floats, prompts: int) -> list[float] | None:
    around = interval(drawn, prompts)
    return around.ends() if around else None
