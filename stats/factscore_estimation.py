"""FActScore as an evaluator estimates it, against gold.

References
----------
Min et al. (2023), FActScore, §4. docs/statistics.md, FActScore of a subject model.
"""

from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, mean_known, ratio
from stats.bootstrap import Interval, Resampling
from stats.intervals import UNCHANGED, difference_interval, distance_interval, effective_interval, why_withheld
from stats.ranks import same_order

# A signed bias beyond this is marked by its direction.
NOTABLE_BIAS = 0.05
# The figures with means over subjects, and on what the intervals of these rest.
MEANS: tuple[Literal["estimated", "bias", "error_rate"], ...] = ("estimated", "bias", "error_rate")
FEWEST_OF_A_SUBJECT = "prompts of the subject with the fewest"


@dataclass(frozen=True)
class EstimatedScores:
    """Shares supported of R responses, by gold and as estimated.

    All are nan in rows that do not count: abstained, without gold, or without a judgement.

    Attributes
    ----------
    gold : (R,)
        Over the response's facts.
    estimated : (R,)
        Over the facts that the evaluator judged.
    over_called, under_called : (R,)
        Among the facts with both: shares called supported though gold says not, and the reverse; nan where the
        evaluator judged facts of its own.
    """

    gold: Floats
    estimated: Floats
    over_called: Floats
    under_called: Floats

    @property
    def counted(self) -> Flags:
        return ~np.isnan(self.gold)


def response_scores(
    response: Ints, responses: int, gold_known: Flags, gold: Flags, judged: Flags, called: Flags
) -> EstimatedScores:
    """Scores from facts; parameters as of `judged_shares`."""
    shares = judged_shares(response, responses, gold_known, gold, judged, called)
    counted = ~np.isnan(shares.gold) & ~np.isnan(shares.estimated)
    return EstimatedScores(
        *(np.where(counted, part, np.nan) for part in (shares.gold, shares.estimated, shares.over, shares.under))
    )


def scores_of_own_facts(
    response: Ints, gold_known: Flags, gold: Flags, supported: Ints, judged: Ints
) -> EstimatedScores:
    """Scores where the evaluator judged facts of its own, so that no single fact can be wrongly supported or rejected.

    Parameters
    ----------
    response, gold_known, gold : (N,)
        Of gold's facts, as of `judged_shares`.
    supported, judged : (R,) int
        How many facts of each response the evaluator judged, and how many of them it calls supported.
    """
    responses = len(judged)
    known = np.bincount(response[gold_known], minlength=responses)
    right = np.bincount(response[gold_known & gold], minlength=responses)
    counted = (known > 0) & (judged > 0)
    undefined = np.full(responses, np.nan)
    return EstimatedScores(
        gold=np.where(counted, ratio(right, known), np.nan),
        estimated=np.where(counted, ratio(supported, judged), np.nan),
        over_called=undefined,
        under_called=undefined,
    )


class EstimationRow(TypedDict):
    """Estimated score of a subject beside gold (docs/commands.md, `report`), None where undefined."""

    subject: str
    responses: int
    factscore: float | None
    estimated: float | None
    estimated_interval: list[float] | None
    bias: float | None
    bias_interval: list[float] | None
    error_rate: float | None
    direction: str
    over_called: float | None
    under_called: float | None
    cancelling: float | None


class MeanEstimation(TypedDict):
    """Plain means over all subjects; None where a subject lacks the figure, or there is none. withheld: by figure, why
    one that has a value has no interval."""

    estimated: float | None
    estimated_interval: list[float] | None
    bias: float | None
    bias_interval: list[float] | None
    error_rate: float | None
    error_rate_interval: list[float] | None
    withheld: dict[str, str]


class Estimation(TypedDict):
    """ranking_kept, ranking_kept_probability: None below two subjects with a score."""

    subjects: list[EstimationRow]
    subjects_mean: MeanEstimation
    ranking_kept: bool | None
    ranking_kept_probability: float | None


def describe_estimation(
    scores: EstimatedScores, subject: Ints, subjects: list[str], prompt: Ints, resampling: Resampling
) -> Estimation:
    """Estimated scores of each subject beside gold (docs/commands.md, `report`), and their means over subjects.

    Both scores are over the responses that the run covers. Intervals resample prompts, abstentions included, paired
    between gold and estimate and across subjects.

    Parameters
    ----------
    scores : EstimatedScores of R responses
    subject, prompt : (R,) int
    subjects : their names
    resampling : Resampling

    Returns
    -------
    Estimation, a row for each subject.
    """
    counted = scores.counted
    gold = resampled_means(scores.gold, counted, subject, subjects, prompt, resampling)
    estimated = resampled_means(scores.estimated, counted, subject, subjects, prompt, resampling)
    bias = estimated - gold
    rows = [
        _describe_subject(scores, counted & (subject == place), name, estimated[:, place], bias[:, place], prompt)
        for place, name in enumerate(subjects)
    ]
    true = [row["factscore"] for row in rows]
    comparable = len(rows) > 1 and None not in true
    by_evaluator = np.array([[row["estimated"] for row in rows]], dtype=np.float64)
    whole = same_order(np.array([true], dtype=np.float64), by_evaluator)
    drawn = same_order(gold, estimated)
    return {
        "subjects": rows,
        "subjects_mean": _describe_mean(rows, estimated, bias, _fewest_prompts(counted, subject, prompt, len(rows))),
        "ranking_kept": bool(whole[0]) if comparable else None,
        "ranking_kept_probability": mean_known(drawn) if comparable else None,
    }


def resampled_means(
    scores: Floats, counted: Flags, subject: Ints, subjects: list[str], prompt: Ints, resampling: Resampling
) -> Floats:
    """(resamples, subjects): the mean score of each subject in each resample."""
    clusters = len(resampling.strata)
    group = (prompt * len(subjects) + subject)[counted]
    size = clusters * len(subjects)
    sums = np.bincount(group, weights=scores[counted], minlength=size).reshape(clusters, len(subjects))
    counts = np.bincount(group, minlength=size).reshape(clusters, len(subjects))
    totals = resampling.totals(np.concatenate([sums, counts], axis=1))
    return ratio(totals[:, : len(subjects)], totals[:, len(subjects) :])


def cancelling(over: float | None, under: float | None) -> float | None:
    """Mistakes that the error rate does not see, as a share of facts: 2·min(wrongly supported, wrongly rejected)."""
    return None if over is None or under is None else 2 * min(over, under)


def _describe_subject(
    scores: EstimatedScores, rows: Flags, name: str, estimated_drawn: Floats, bias_drawn: Floats, prompt: Ints
) -> EstimationRow:
    if not rows.any():
        return _without_responses(name)
    gold, estimated = float(scores.gold[rows].mean()), float(scores.estimated[rows].mean())
    bias, prompts = estimated - gold, len(np.unique(prompt[rows]))
    over, under = mean_known(scores.over_called[rows]), mean_known(scores.under_called[rows])
    return {
        "subject": name,
        "responses": int(rows.sum()),
        "factscore": gold,
        "estimated": estimated,
        "estimated_interval": _ends(effective_interval(estimated, estimated_drawn, prompts)),
        "bias": bias,
        "bias_interval": _ends(difference_interval(bias, bias_drawn, prompts)),
        "error_rate": abs(bias),
        "direction": "+" if bias > NOTABLE_BIAS else "-" if bias < -NOTABLE_BIAS else "",
        "over_called": over,
        "under_called": under,
        "cancelling": cancelling(over, under),
    }


def _without_responses(name: str) -> EstimationRow:
    return {
        "subject": name,
        "responses": 0,
        "factscore": None,
        "estimated": None,
        "estimated_interval": None,
        "bias": None,
        "bias_interval": None,
        "error_rate": None,
        "direction": "",
        "over_called": None,
        "under_called": None,
        "cancelling": None,
    }


def _describe_mean(rows: list[EstimationRow], estimated: Floats, bias: Floats, prompts: int) -> MeanEstimation:
    """Means of the rows. estimated, bias: (resamples, subjects), on the same draws. prompts: those that the intervals
    rest on."""
    means = {name: _mean([row[name] for row in rows]) for name in MEANS}
    around: dict[str, Interval | None] = dict.fromkeys(MEANS)
    if rows:
        around = {
            "estimated": effective_interval(means["estimated"], estimated.mean(axis=1), prompts),
            "bias": difference_interval(means["bias"], bias.mean(axis=1), prompts),
            "error_rate": distance_interval(means["error_rate"], _strayed(rows, bias), prompts),
        }
    reason = why_withheld(prompts, FEWEST_OF_A_SUBJECT) or UNCHANGED
    return {
        "estimated": means["estimated"],
        "estimated_interval": _ends(around["estimated"]),
        "bias": means["bias"],
        "bias_interval": _ends(around["bias"]),
        "error_rate": means["error_rate"],
        "error_rate_interval": _ends(around["error_rate"]),
        "withheld": {name: reason for name in MEANS if means[name] is not None and around[name] is None},
    }


def _strayed(rows: list[EstimationRow], bias: Floats) -> Floats:
    """(resamples,): the most by which the mean error rate of a resample may be off, given its biases.

    A bias whose interval leaves out 0 has a known sign, so its error rate is off by as much as the bias, with that
    sign, and such subjects may cancel. Of the others only | |b| − |β| | ≤ |b − β| is known.
    """
    off = bias - np.array([np.nan if row["bias"] is None else row["bias"] for row in rows])
    signs = np.array([_known_sign(row["bias_interval"]) for row in rows])
    known_signs, others = (off * signs).sum(axis=1), np.abs(off[:, signs == 0]).sum(axis=1)
    strayed: Floats = (np.abs(known_signs) + others) / len(rows)
    return strayed


def _known_sign(interval: list[float] | None) -> int:
    """1 or −1 where the interval leaves out 0, else 0."""
    low, high = interval or (0.0, 0.0)
    return int(low > 0) - int(high < 0)


def _fewest_prompts(counted: Flags, subject: Ints, prompt: Ints, subjects: int) -> int:
    """The prompts of the subject with the fewest."""
    return min((len(np.unique(prompt[counted & (subject == place)])) for place in range(subjects)), default=0)


def _mean(values: list[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined and len(defined) == len(values) else None


def _ends(interval: Interval | None) -> list[float] | None:
    return interval.ends() if interval else None


@dataclass(frozen=True)
class JudgedShares:
    """Shares of the facts of R responses, nan where there are no such facts or the response abstains.

    Attributes
    ----------
    gold : (R,)
        Share supported over its facts with gold.
    estimated : (R,)
        Share supported over those the evaluator judged.
    both : (R,)
        Gold's share over the nᵢ facts with gold and judgement.
    over, under : (R,)
        Shares of these called supported though gold says not, and the reverse.
    """

    gold: Floats
    estimated: Floats
    both: Floats
    over: Floats
    under: Floats

    @property
    def labelled(self) -> Flags:
        """Whether each response has facts with gold and a judgement."""
        return ~np.isnan(self.both)

    @property
    def judged(self) -> Flags:
        return ~np.isnan(self.estimated)


def judged_shares(
    response: Ints, responses: int, gold_known: Flags, gold: Flags, judged: Flags, called: Flags
) -> JudgedShares:
    """Shares from N facts.

    Parameters
    ----------
    response : (N,) int
        Number of each fact's response.
    responses : int
        How many responses there are (R).
    gold_known, gold : (N,) bool
        The fact has gold, and gold supports it.
    judged, called : (N,) bool
        The evaluator judged it, and calls it supported.
    """
    both = gold_known & judged

    def share(part: Flags, whole: Flags) -> Floats:
        count = (np.bincount(response[rows], minlength=responses) for rows in (part & whole, whole))
        return ratio(*count)

    return JudgedShares(
        gold=share(gold, gold_known),
        estimated=share(called, judged),
        both=share(gold, both),
        over=share(called & ~gold, both),
        under=share(gold & ~called, both),
    )
