"""Distance to soft labels: a unit's target is the share of people who call it an error, not what most of them say.

Where people differ for good reasons, a target of 0 or 1 throws away how much they differ.

References
----------
Brier (1950), Verification of forecasts expressed in terms of probability; Uma et al. (2021), Learning from
disagreement: a survey. docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Floats, known, ratio
from stats.bootstrap import Interval, Resampling, cluster_sums
from stats.detection import ERROR
from stats.intervals import difference_interval, effective_interval
from stats.left_out import PeoplesLabels


@dataclass(frozen=True)
class SoftLabelDistance:
    """Mean squared distances from the same targets, from 0 to 1, the lower the better; None without any target.

    Attributes
    ----------
    people, judge : float, or None
    difference : the judge's less the people's
    """

    people: float | None
    people_interval: Interval | None
    judge: float | None
    judge_interval: Interval | None
    difference: float | None
    difference_interval: Interval | None


def soft_label_distances(
    people: PeoplesLabels, judges: Sequence[Floats], resampling: Resampling
) -> list[SoftLabelDistance]:
    """Each label of a person, and each judge's answer in its place, against the share of the others who say *error*.

    The mean of (answer − share)² over labels whose unit another person labelled. It is a proper score: a judge's is
    least where its probability is that of the next person's *error*. What a judge left open counts as the wrong one of
    0 and 1.

    Parameters
    ----------
    people : PeoplesLabels
    judges : (N,) for each
        The probability of an error, 0 or 1 for a bare verdict; nan where the judge left the unit open.
    resampling : Resampling
    """
    errors, others = people.others()
    person, unit = np.nonzero(people.shared)
    share = errors[person, unit] / others[person, unit]
    wrong = (share < 1 / 2).astype(np.float64)
    answers = [(people.labels[person, unit] == ERROR).astype(np.float64)]
    answers += [np.where(np.isnan(judge[unit]), wrong, judge[unit]) for judge in judges]
    columns = np.stack([np.ones(len(unit)), *((answer - share) ** 2 for answer in answers)], axis=1)
    sums = cluster_sums(people.cluster[unit], columns, len(resampling.strata))
    whole, drawn = _means(sums.sum(axis=0)), _means(resampling.totals(sums))
    prompts = int((sums[:, 0] > 0).sum())
    of_people = known(whole[0])
    around_people = effective_interval(of_people, drawn[:, 0], prompts)
    return [
        SoftLabelDistance(
            of_people,
            around_people,
            known(whole[place]),
            effective_interval(known(whole[place]), drawn[:, place], prompts),
            known(whole[place] - whole[0]),
            difference_interval(known(whole[place] - whole[0]), drawn[:, place] - drawn[:, 0], prompts),
        )
        for place in range(1, len(answers))
    ]


def _means(totals: Floats) -> Floats:
    """From totals (…, 1 + answers) of labels and of squared distances."""
    return ratio(totals[..., 1:], totals[..., :1])
