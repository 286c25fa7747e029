"""Sums over units, whole and in every resample, of many sets of ratings with the same draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.agreement.coefficients import Sums, sum_by_cluster, unpack
from annotate.agreement.ratings import Clusters, Coding
from annotate.agreement.resampling import BLOCK_BYTES, Floats


@dataclass(frozen=True)
class Counted:
    """What the coefficients of a coding are computed from. `prompts`: the number of clusters that it rests on."""

    coding: Coding
    whole: Sums
    drawn: Sums
    prompts: int

    @property
    def n(self) -> int:
        """Units that two or more judged."""
        return int(self.whole.n)

    @property
    def annotators(self) -> int:
        return len(self.coding.counted.annotators)


def count_each(codings: Sequence[Coding], clusters: Clusters) -> list[Counted]:
    """Each coding's sums. The draws are the same for all of them (docs/statistics.md, Intervals and tests), and made as
    few times as fits in memory: with 850 prompts once for some hundred codings."""
    counted: list[Counted] = []
    for group in _groups(codings, len(clusters.resampling.strata)):
        sums = [_sums(coding, clusters) for coding in group]
        drawn = clusters.resampling.totals(np.concatenate(sums, axis=1))
        ends = np.cumsum([each.shape[1] for each in sums])
        parts = np.split(drawn, ends[:-1], axis=1)
        counted += [
            Counted(
                coding,
                unpack(own.sum(axis=0), coding.number),
                unpack(part, coding.number),
                int((own[:, 0] > 0).sum()),
            )
            for coding, own, part in zip(group, sums, parts, strict=True)
        ]
    return counted


def _sums(coding: Coding, clusters: Clusters) -> Floats:
    counted = coding.counted
    cluster = clusters.of_response[counted.response]
    return sum_by_cluster(counted.ratings, coding.number, cluster, len(clusters.resampling.strata))


def _groups(codings: Sequence[Coding], clusters: int) -> Iterator[list[Coding]]:
    """As many at a time as their sums by cluster take some memory, at least one."""
    group: list[Coding] = []
    columns = 0
    for coding in codings:
        width = 1 + 3 * coding.number**2
        if group and 8 * clusters * (columns + width) > BLOCK_BYTES:
            yield group
            group, columns = [], 0
        group.append(coding)
        columns += width
    if group:
        yield group
