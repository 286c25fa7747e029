"""Gold as a probability: what annotators' labels say of each unit, with the error rates of each annotator.

References
----------
Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm; Hovy et al.
(2013), Learning whom to trust with MACE.
docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.arrays import Flags, Floats, known, ratio
from stats.bootstrap import ROUNDING, Interval, Resampling, cluster_sums
from stats.detection import CORRECT, ERROR, Decisions
from stats.intervals import effective_interval
from stats.left_out import PeoplesLabels

MOST_STEPS = 500
CONVERGED = 1e-8
# One label more of each kind for each annotator and for gold: no rate becomes 0 or 1.
PRIOR = 1.0


@dataclass(frozen=True)
class UncertainGold:
    """The posterior of gold.

    Attributes
    ----------
    error : (N,)
        The probability that a unit is an error; nan where nobody labelled it.
    prevalence : float
        The share of errors, with one label more of each kind.
    sensitivity, specificity : (A,)
        The probability that the annotator calls an error an error, and a correct unit correct.
    """

    error: Floats
    prevalence: float
    sensitivity: Floats
    specificity: Floats

    @property
    def competence(self) -> Floats:
        """(A,): the share of units of which the annotator knows the truth, by MACE; below 0 for who is mostly wrong.

        MACE: an annotator knows the truth with probability θ, and else says *error* with probability ξ. Of two values
        that is the model above, with sensitivity θ + (1 − θ) ξ and specificity θ + (1 − θ) (1 − ξ).
        """
        competence: Floats = self.sensitivity + self.specificity - 1
        return competence


def uncertain_gold(people: PeoplesLabels) -> UncertainGold:
    """Posteriors by EM from the share of the labels that call each unit an error.

    Annotators err independently of each other given what is true, each with rates of their own. Of two annotators alone
    the data do not say who of them errs.
    """
    from scipy.special import expit

    given, called = people.given, people.labels == ERROR
    labelled: Flags = np.asarray(given.any(axis=0))
    given, called = given[:, labelled], called[:, labelled]
    agreeing = given & ~called
    error = called.sum(axis=0) / given.sum(axis=0)
    for _ in range(MOST_STEPS):
        prevalence = (error.sum() + PRIOR) / (len(error) + 2 * PRIOR)
        sensitivity = (called @ error + PRIOR) / (given @ error + 2 * PRIOR)
        specificity = (agreeing @ (1 - error) + PRIOR) / (given @ (1 - error) + 2 * PRIOR)
        odds = (
            np.log(prevalence / (1 - prevalence))
            + np.log(sensitivity / (1 - specificity)) @ called
            + np.log((1 - sensitivity) / specificity) @ agreeing
        )
        before, error = error, np.asarray(expit(odds), dtype=np.float64)
        if np.abs(error - before).max(initial=0.0) < CONVERGED:
            break
    posterior: Floats = np.full(len(labelled), np.nan)
    posterior[labelled] = error
    return UncertainGold(posterior, float(prevalence), sensitivity, specificity)


@dataclass(frozen=True)
class UncertainF1:
    """F1 against a gold of which only probabilities are known; None where undefined."""

    f1: float | None
    interval: Interval | None


def f1_of_uncertain(
    gold: UncertainGold, people: PeoplesLabels, judges: Sequence[Decisions], resampling: Resampling
) -> list[UncertainF1]:
    """F1 of each judge over the labelled units, corrected for what gold does not know.

    The share of its alarms rises on a straight line with the probability of an error: from its false alarms at 0 to its
    recall at 1. The line is fitted by least squares. A judge errs independently of the annotators given what is true.
    An answer that is missing or unparsed counts as wrong. The interval resamples prompts and keeps the posteriors.

    Drawing gold from the posteriors instead would make every judge seem worse: where annotators differ, a draw is right
    less often than a good judge.

    Parameters
    ----------
    gold : UncertainGold of N units
    people : PeoplesLabels
    judges : (N,) int8 for each
    resampling : Resampling
    """
    labelled = ~np.isnan(gold.error)
    error, cluster = gold.error[labelled], people.cluster[labelled]
    columns = [np.ones(len(error)), error, error**2]
    for judge in judges:
        # What is undecided is a missed error where gold is one, and a false alarm where it is not.
        hit, alarm = judge[labelled] == ERROR, judge[labelled] != CORRECT
        columns += [hit, hit * error, alarm, alarm * error]
    sums = cluster_sums(cluster, np.stack(columns, axis=1).astype(np.float64), len(resampling.strata))
    whole, drawn = sums.sum(axis=0), resampling.totals(sums)
    # Many units that are hardly ever errors make none: what counts is one that is more likely an error than not.
    prompts = len(np.unique(cluster[error > 1 / 2]))
    found = []
    for start in range(3, 3 + 4 * len(judges), 4):
        value = known(_corrected_f1(whole, start))
        found.append(UncertainF1(value, effective_interval(value, _corrected_f1(drawn, start), prompts)))
    return found


def _corrected_f1(totals: Floats, start: int) -> Floats:
    """From totals (…, columns): the line of hits at 1 and that of alarms at 0, held between 0 and 1."""
    units, error, squares = (totals[..., place] for place in range(3))
    hits, hits_error, alarms, alarms_error = (totals[..., place] for place in range(start, start + 4))
    spread = units * squares - error**2
    # Of probabilities that are all the same rounding leaves a little.
    spread = np.where(spread > ROUNDING * units**2, spread, 0.0)
    recall = ratio(hits * (squares - error) + hits_error * (units - error), spread)
    false_alarms = ratio(alarms * squares - alarms_error * error, spread)
    recall, false_alarms = np.clip(recall, 0, 1), np.clip(false_alarms, 0, 1)
    return ratio(2 * error * recall, error * recall + (units - error) * false_alarms + error)
