"""The alternative annotator test: whether a judge may replace an annotator.

Each annotator is left out in turn. Judge and annotator are scored on each unit by how many of the remaining annotators
say the same. Null hypothesis: the judge is as good or better than the annotator on a share ρ_judge of the units that
lies ε or more below the share ρ_annotator on which the annotator is as good or better than the judge.

References
----------
Calderon, Reichart and Dror (2025), The alternative annotator test for LLM-as-a-judge. Benjamini and Yekutieli (2001),
The control of the false discovery rate in multiple testing under dependency. docs/statistics.md, Agreement between
annotators.
"""

from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.bootstrap import ROUNDING
from stats.detection import ERROR, MISSING, UNPARSED, Decisions
from stats.distributions import t_probability
from stats.left_out import PeoplesLabels

# The advantage granted to the judge, which is cheaper: 0.1 against crowd workers, 0.15 against skilled annotators, 0.2
# against experts.
EPSILONS = (0.1, 0.15, 0.2)
FALSE_DISCOVERIES = 0.05
FEWEST_ANNOTATORS, FEWEST_UNITS, FEWEST_PROMPTS = 3, 30, 2
# The judge may replace an annotator from this winning rate on.
PASSING_RATE = 0.5


@dataclass(frozen=True)
class LeftOutAnnotator:
    """One annotator against the judge.

    Attributes
    ----------
    annotator : int
        Row of the labels.
    n : int
        Units that somebody else labelled too.
    judge, own : float
        ρ_judge and ρ_annotator: shares of units on which the one is as good as the other or better.
    p : (E,)
        Of the null hypothesis at each ε.
    beaten : (E,) bool
        Rejected among all annotators.
    """

    annotator: int
    n: int
    judge: float
    own: float
    p: Floats
    beaten: Flags


@dataclass(frozen=True)
class AlternativeAnnotatorTest:
    """The test of one judge.

    Attributes
    ----------
    compared : list[LeftOutAnnotator]
    winning_rate : (E,)
        ω: the share of annotators beaten at each ε.
    advantage : float
        ρ: the mean of ρ_judge over annotators.
    """

    compared: list[LeftOutAnnotator]
    winning_rate: Floats
    advantage: float


def why_no_test(people: PeoplesLabels) -> str:
    """The reason why the labels do not serve for the test; "" where they do."""
    enough = len(_annotators(people))
    if enough >= FEWEST_ANNOTATORS:
        return ""
    return (
        f"it takes {FEWEST_ANNOTATORS} annotators who each labelled {FEWEST_UNITS} units of {FEWEST_PROMPTS} prompts "
        f"that others labelled too, and there {'is' if enough == 1 else 'are'} {enough}"
    )


def compare_with_annotators(
    people: PeoplesLabels, judge: Decisions, epsilons: tuple[float, ...] = EPSILONS
) -> AlternativeAnnotatorTest | None:
    """The test of a judge; None where `why_no_test` gives a reason.

    An answer that is missing or unparsed agrees with nobody, and the annotator is the better one there.

    Parameters
    ----------
    people : PeoplesLabels
    judge : (N,) int8
    epsilons : tuple of E floats
    """
    if why_no_test(people):
        return None
    errors, others = people.others()
    compared = []
    for annotator in _annotators(people):
        units = np.flatnonzero(people.shared[annotator])
        of_errors, of_all = errors[annotator, units], others[annotator, units]
        own = _agreeing(people.labels[annotator, units], of_errors, of_all)
        judges = _agreeing(judge[units], of_errors, of_all)
        as_good, as_good_own = judges >= own, own >= judges
        lead = as_good_own.astype(np.float64) - as_good
        p = np.array([_p_below(lead, people.cluster[units], epsilon) for epsilon in epsilons])
        compared.append((annotator, len(units), float(as_good.mean()), float(as_good_own.mean()), p))
    beaten = np.stack([benjamini_yekutieli(p) for p in np.array([each[-1] for each in compared]).T], axis=1)
    return AlternativeAnnotatorTest(
        [LeftOutAnnotator(*each, of_annotator) for each, of_annotator in zip(compared, beaten, strict=True)],
        beaten.mean(axis=0),
        float(np.mean([each[2] for each in compared])),
    )


def _annotators(people: PeoplesLabels) -> list[int]:
    shared = people.shared
    return [
        annotator
        for annotator in range(len(shared))
        if shared[annotator].sum() >= FEWEST_UNITS
        and len(np.unique(people.cluster[shared[annotator]])) >= FEWEST_PROMPTS
    ]


def _agreeing(said: Decisions, errors: Ints, others: Ints) -> Ints:
    """How many of the others say the same; −1 where nothing was said."""
    agreeing: Ints = np.where(said == ERROR, errors, others - errors)
    return np.where(np.isin(said, (MISSING, UNPARSED)), -1, agreeing)


def _p_below(lead: Floats, cluster: Ints, epsilon: float) -> float:
    """p of a mean of ε or more, units of one prompt being alike: Student's t on sums of prompts, one-sided.

    Where all prompts have one mean lead m there is no spread to go by. With m below ε, a mean of ε would need a lead of
    1 in a share of (ε − m) / (1 − m) of the prompts at least, and none was seen: 1 less that share, to the power of the
    prompts. A negative m counts as 0.
    """
    _, places = np.unique(cluster, return_inverse=True)
    prompts, mean = int(places.max()) + 1, lead.mean()
    sums = np.bincount(places, lead - mean)
    error = np.sqrt(prompts / (prompts - 1) * (sums**2).sum()) / len(lead)
    if error <= ROUNDING:
        return float(((1 - epsilon) / (1 - max(mean, 0.0))) ** prompts) if mean < epsilon else 1.0
    return float(t_probability(np.array([(mean - epsilon) / error]), np.array([prompts - 1.0]))[0])


def benjamini_yekutieli(p: Floats, rate: float = FALSE_DISCOVERIES) -> Flags:
    """Which null hypotheses (M,) are rejected with that false discovery rate under any dependence."""
    count = len(p)
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, count + 1)
    passing = np.flatnonzero(p[order] <= ranks / count * rate / (1 / ranks).sum())
    rejected: Flags = np.zeros(count, dtype=np.bool_)
    rejected[order[: passing[-1] + 1 if len(passing) else 0]] = True
    return rejected
