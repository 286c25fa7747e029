"""FActScore as an evaluator estimates it, against gold (FActScore §4). Plain arrays, no database.

See docs/statistics.md, FActScore of a subject model.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from annotate.agreement.resampling import Flags, Floats, Ints, Resampling, interval, ratio

from evaluators.metrics.response_shares import judged_shares

# A signed bias beyond this is marked by its direction.
NOTABLE_BIAS = 0.05
# What the error rate is made of, of the facts that both judged (docs/statistics.md, FActScore of a subject model).
DECOMPOSED = ("over_called", "under_called", "cancelling")


@dataclass(frozen=True)
class Scores:
    """Per response (R rows) the share supported: `gold` over its facts, `estimated` over those the evaluator judged.

    over_called, under_called: among the facts with both, the shares called supported though gold says not, and the
    reverse; nan where the evaluator judged facts of its own. All nan in rows that do not count: abstained, without
    gold, or without a judgement.
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
) -> Scores:
    """Scores from facts (N rows), `response` numbering that of each fact.

    gold: it is supported, where `gold_known`; called: the evaluator says so, where it `judged`.
    """
    shares = judged_shares(response, responses, gold_known, gold, judged, called)
    counted = ~np.isnan(shares.gold) & ~np.isnan(shares.estimated)
    return Scores(
        *(np.where(counted, part, np.nan) for part in (shares.gold, shares.estimated, shares.over, shares.under))
    )


def scores_of_own_facts(response: Ints, gold_known: Flags, gold: Flags, supported: Ints, judged: Ints) -> Scores:
    """Scores where the evaluator judged facts of its own making: per response so many `judged`, of them `supported`.

    Gold has other facts (N rows, as above), so no single one can be over- or under-called.
    """
    responses = len(judged)
    known = np.bincount(response[gold_known], minlength=responses)
    right = np.bincount(response[gold_known & gold], minlength=responses)
    counted = (known > 0) & (judged > 0)
    undefined = np.full(responses, np.nan)
    return Scores(
        gold=np.where(counted, ratio(right, known), np.nan),
        estimated=np.where(counted, ratio(supported, judged), np.nan),
        over_called=undefined,
        under_called=undefined,
    )


def describe_estimation(
    scores: Scores, subject: Ints, subjects: list[str], prompt: Ints, resampling: Resampling
) -> dict[str, Any]:
    """{"subjects": one row a subject, "ranking_kept", "ranking_kept_probability"} (docs/commands.md, `report`).

    subject, prompt: number of each response's. Both means are over the responses that the run covers; the bias's
    interval resamples prompts, abstentions included, paired between gold and estimate and across subjects.
    """
    counted = scores.counted
    gold = resampled_means(scores.gold, counted, subject, subjects, prompt, resampling)
    estimated = resampled_means(scores.estimated, counted, subject, subjects, prompt, resampling)
    bias = estimated - gold
    rows = [
        _describe_subject(scores, counted & (subject == place), name, bias[:, place], prompt)
        for place, name in enumerate(subjects)
    ]
    true, said = ([row[key] for row in rows] for key in ("factscore", "estimated"))
    comparable = len(rows) > 1 and None not in true
    whole = same_order(np.array([true], dtype=np.float64), np.array([said], dtype=np.float64))
    drawn = same_order(gold, estimated)
    return {
        "subjects": rows,
        "ranking_kept": bool(whole[0]) if comparable else None,
        "ranking_kept_probability": mean_known(drawn) if comparable else None,
    }


def same_order(first: Floats, second: Floats) -> Floats:
    """Whether two scorings (rows, subjects) order the subjects alike, ties included: 1 or 0 a row, nan if unknown."""
    alike = np.ones(len(first))
    for one, other in combinations(range(first.shape[1]), 2):
        differences = np.sign(first[:, one] - first[:, other]) - np.sign(second[:, one] - second[:, other])
        alike = np.where(np.isnan(differences), np.nan, alike * (differences == 0))
    return alike


def mean_known(values: Floats) -> float | None:
    """The mean of the defined ones; None where there are none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else None


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
    """The mistakes that the error rate does not see, as a share of facts: 2·min(over-called, under-called)."""
    return None if over is None or under is None else 2 * min(over, under)


def _describe_subject(scores: Scores, rows: Flags, name: str, bias_drawn: Floats, prompt: Ints) -> dict[str, Any]:
    if not rows.any():
        nothing = ("factscore", "estimated", "bias", "bias_interval", "error_rate", *DECOMPOSED)
        return {"subject": name, "responses": 0, **dict.fromkeys(nothing), "direction": ""}
    gold, estimated = float(scores.gold[rows].mean()), float(scores.estimated[rows].mean())
    bias = estimated - gold
    around = interval(bias_drawn, len(np.unique(prompt[rows])))
    over, under = mean_known(scores.over_called[rows]), mean_known(scores.under_called[rows])
    return {
        "subject": name,
        "responses": int(rows.sum()),
        "factscore": gold,
        "estimated": estimated,
        "bias": bias,
        "bias_interval": around.ends() if around else None,
        "error_rate": abs(bias),
        "direction": "+" if bias > NOTABLE_BIAS else "-" if bias < -NOTABLE_BIAS else "",
        **dict(zip(DECOMPOSED, (over, under, cancelling(over, under)), strict=True)),
    }
