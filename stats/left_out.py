"""People and judges measured on the same targets: what most of the other people say of a unit.

Against gold a judge and a person cannot be compared: gold comes from the people. Against each other people have the
noise of two, and a judge against gold that of one.

References
----------
docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stats.arrays import Flags, Floats, Ints, known
from stats.bootstrap import Interval, Resampling
from stats.detection import CORRECT, ERROR, MISSING, ConfusionCounts, Decisions, f1, tally
from stats.intervals import difference_interval, effective_interval

FIELDS = 4


@dataclass(frozen=True)
class PeoplesLabels:
    """Labels of N units by A people, from before anything was settled.

    Attributes
    ----------
    labels : (A, N) int8
        CORRECT, ERROR or MISSING.
    cluster : (N,) int
        Number of each unit's prompt.
    """

    labels: Decisions
    cluster: Ints

    @cached_property
    def given(self) -> Flags:
        """(A, N): the person labelled the unit."""
        given: Flags = np.isin(self.labels, (CORRECT, ERROR))
        return given

    @cached_property
    def shared(self) -> Flags:
        """(A, N): and so did another."""
        shared: Flags = self.given & (self.given.sum(axis=0) > 1)
        return shared

    def others(self) -> tuple[Ints, Ints]:
        """(A, N): how many others call the unit an error, and how many others labelled it."""
        errors, given = self.labels == ERROR, self.given
        return errors.sum(axis=0) - errors, given.sum(axis=0) - given


@dataclass(frozen=True)
class LikeWithLike:
    """F1 of people and of a judge on the same targets; None where undefined.

    Attributes
    ----------
    n : int
        Labels whose unit most of the other people call the one or the other.
    people, judge : float, or None
    difference : the judge's F1 less the people's
    """

    n: int
    people: float | None
    people_interval: Interval | None
    judge: float | None
    judge_interval: Interval | None
    difference: float | None
    difference_interval: Interval | None


def like_with_like(people: PeoplesLabels, judges: Sequence[Decisions], resampling: Resampling) -> list[LikeWithLike]:
    """Each label of a person, and each judge's answer in its place, against what most of the other people say.

    Units on which the others are split count for neither. An answer that is missing or unparsed counts as wrong. One
    set of draws serves all judges.

    Parameters
    ----------
    people : PeoplesLabels
    judges : (N,) int8 for each
    resampling : Resampling
    """
    errors, others = people.others()
    person, unit = np.nonzero(people.shared & (2 * errors != others))
    targets: Decisions = np.where(2 * errors > others, ERROR, CORRECT)[person, unit].astype(np.int8)
    wrong = np.where(targets == ERROR, CORRECT, ERROR)
    clusters, cluster = len(resampling.strata), people.cluster[unit]
    said = [people.labels[person, unit]] + [
        np.where(np.isin(judge[unit], (CORRECT, ERROR)), judge[unit], wrong).astype(np.int8) for judge in judges
    ]
    sums = [_counts(targets, each, cluster, clusters) for each in said]
    whole = [_f1(each.sum(axis=0)) for each in sums]
    drawn = [_f1(each) for each in resampling.counts(sums)]
    prompts = int((sums[0][:, 0] + sums[0][:, 2] > 0).sum())  # with an error among the targets
    of_people = known(whole[0])
    around_people = effective_interval(of_people, drawn[0], prompts)
    return [
        LikeWithLike(
            len(unit),
            of_people,
            around_people,
            known(of_judge),
            effective_interval(known(of_judge), drawn_of_judge, prompts),
            known(of_judge - whole[0]),
            difference_interval(known(of_judge - whole[0]), drawn_of_judge - drawn[0], prompts),
        )
        for of_judge, drawn_of_judge in zip(whole[1:], drawn[1:], strict=True)
    ]


def _counts(targets: Decisions, said: Decisions, cluster: Ints, clusters: int) -> Floats:
    counts = tally(targets, said, cluster, clusters).counts
    return np.stack([counts.tp, counts.fp, counts.fn, counts.tn], axis=1)


def _f1(totals: Floats) -> Floats:
    return f1(ConfusionCounts(*(totals[..., place] for place in range(FIELDS))))


def stack_labels(labels: list[Decisions], units: int) -> Decisions:
    """(A, N) from the labels (N,) of each person; what was not understood is no label."""
    stacked = np.array(labels, dtype=np.int8).reshape(len(labels), units)
    return np.where(np.isin(stacked, (CORRECT, ERROR)), stacked, MISSING).astype(np.int8)
