"""Corrected scores of all subjects by one evaluator, with what says how far to trust them (definitions.md §7).

Plain arrays, no database.
"""

from typing import Any

import numpy as np

from annotate.agreement.resampling import Flags, Floats, Ints, Resampling, interval, known, ratio
from evaluators.metrics.corrections import (
    JudgedShares,
    prediction_powered,
    rogan_gladen,
    sensitivity,
    specificity,
)

# Totals over responses: f, u and o over the facts with gold and judgement, how many responses; g, how many judged.
GOLD, UNDER, OVER, LABELLED, ESTIMATED, JUDGED = range(6)
FIELDS = 6

NOT_JUDGED = "no response of the subject was judged"
NO_CALIBRATION = "no other subject has labels that the evaluator judged"
NO_INFORMATION = "on the other subjects it calls facts supported no more often where they are: se + sp ≤ 1"
NO_LABELS = "the subject has no labels of its own"
ALL_LABELLED = "the subject has fewer than two judged responses without labels"
FEW_LABELS = "the subject has fewer than two judged responses with labels"
ALL_ALIKE = "the evaluator gives every response the same score"


def describe_corrections(
    shares: JudgedShares, subject: Ints, subjects: list[str], prompt: Ints, resampling: Resampling
) -> dict[str, Any]:
    """{"calibration", "subjects": a row a subject}; what is undefined is None, its reason under "undefined".

    calibration: sensitivity and specificity over all labelled responses, with intervals. A row: `estimated`, the mean
    over its judged responses; `rogan_gladen`, calibrated on the labelled responses of the *other* subjects;
    `residual`, that correction over its own labelled responses less their gold (leaving the subject out: what the
    correction would have missed by); `prediction_powered`, for a subject of which some responses are labelled and
    others are not. Calibration and target are resampled by the same draws of prompts.
    """
    sums = _sums(shares, subject, len(subjects), prompt, len(resampling.strata))
    whole = sums.sum(axis=0)[None]
    drawn = resampling.totals(sums.reshape(len(sums), -1)).reshape(resampling.resamples, len(subjects), FIELDS)
    prompts = (sums > 0).sum(axis=0)
    return {
        "calibration": _calibration(whole, drawn, prompts),
        "subjects": [
            {
                "subject": name,
                "labelled": int(whole[0, place, LABELLED]),
                "judged": int(whole[0, place, JUDGED]),
                **_correct(whole, drawn, prompts, place),
                **_powered(shares, subject == place),
            }
            for place, name in enumerate(subjects)
        ],
    }


def _sums(shares: JudgedShares, subject: Ints, subjects: int, prompt: Ints, prompts: int) -> Floats:
    """(prompts, subjects, FIELDS)"""
    columns = (shares.both, shares.under, shares.over, shares.labelled, shares.estimated, shares.judged)
    size = prompts * subjects
    return np.stack(
        [np.bincount(prompt * subjects + subject, np.nan_to_num(column), size) for column in columns], axis=1
    ).reshape(prompts, subjects, FIELDS)


def _known_errors(totals: Floats, calibrating: Flags) -> tuple[Floats, Floats]:
    """Sensitivity and specificity in each draw, from the subjects that calibrate."""
    pooled = totals[:, calibrating].sum(axis=1)
    return (
        sensitivity(pooled[:, GOLD], pooled[:, UNDER]),
        specificity(pooled[:, LABELLED], pooled[:, GOLD], pooled[:, OVER]),
    )


def _calibration(whole: Floats, drawn: Floats, prompts: Ints) -> dict[str, Any]:
    labelled: Flags = whole[0, :, LABELLED] > 0
    clusters = int(prompts[:, LABELLED].max(initial=0))
    names = ("sensitivity", "specificity")
    figures = zip(names, _known_errors(whole, labelled), _known_errors(drawn, labelled), strict=True)
    described: dict[str, Any] = {"responses": int(whole[0, :, LABELLED].sum())}
    for name, value, values in figures:
        described |= {name: known(value[0]), f"{name}_interval": _ends(value[0], values, clusters)}
    return described


def _correct(whole: Floats, drawn: Floats, prompts: Ints, place: int) -> dict[str, Any]:
    others = np.arange(whole.shape[1]) != place
    estimated, corrected, residual = _figures(whole, place, others)
    drawn_estimated, drawn_corrected, drawn_residual = _figures(drawn, place, others)
    clusters = int(min(prompts[place, JUDGED], prompts[others, LABELLED].max(initial=0)))
    around = interval(drawn_corrected, clusters) if not np.isnan(corrected[0]) else None
    row: dict[str, Any] = {
        "estimated": known(estimated[0]),
        "estimated_interval": _ends(estimated[0], drawn_estimated, int(prompts[place, JUDGED])),
        "rogan_gladen": known(corrected[0]),
        "rogan_gladen_interval": around.ends() if around else None,
        "residual": known(residual[0]),
        "residual_interval": _ends(residual[0], drawn_residual, clusters),
        "undefined_resamples": around.undefined if around else 0,
        "undefined": {},
    }
    if row["rogan_gladen"] is None:
        row["undefined"]["rogan_gladen"] = _why_not(whole, place, others)
    return row


def _figures(totals: Floats, place: int, others: Flags) -> tuple[Floats, Floats, Floats]:
    """In each draw: the estimated score, the corrected one, and the residual over the subject's labelled responses.

    Over facts with gold and judgement the estimate is f − u + o.
    """
    own = totals[:, place]
    se, sp = _known_errors(totals, others)
    estimated = ratio(own[:, ESTIMATED], own[:, JUDGED])
    gold = ratio(own[:, GOLD], own[:, LABELLED])
    of_labelled = ratio(own[:, GOLD] - own[:, UNDER] + own[:, OVER], own[:, LABELLED])
    return estimated, rogan_gladen(estimated, se, sp), rogan_gladen(of_labelled, se, sp) - gold


def _why_not(whole: Floats, place: int, others: Flags) -> str:
    if not whole[0, place, JUDGED]:
        return NOT_JUDGED
    se, sp = _known_errors(whole, others)
    return NO_CALIBRATION if np.isnan(se[0]) or np.isnan(sp[0]) else NO_INFORMATION


def _powered(shares: JudgedShares, own: Flags) -> dict[str, Any]:
    """The unit is the response that answers: with gold and judged (n), or judged alone (N)."""
    with_gold = own & shares.judged & ~np.isnan(shares.gold)
    without = own & shares.judged & np.isnan(shares.gold)
    found = prediction_powered(shares.gold[with_gold], shares.estimated[with_gold], shares.estimated[without])
    if found is None:
        why = _why_not_powered(int(with_gold.sum()), int(without.sum()))
        return {"prediction_powered": None, "prediction_powered_interval": None, "prediction_powered_why": why}
    return {
        "prediction_powered": found.score,
        "prediction_powered_interval": found.ends(),
        "prediction_powered_weight": found.weight,
    }


def _why_not_powered(labelled: int, unlabelled: int) -> str:
    if not labelled:
        return NO_LABELS
    if labelled < 2:
        return FEW_LABELS
    return ALL_LABELLED if unlabelled < 2 else ALL_ALIKE


def _ends(value: float, drawn: Floats, clusters: int) -> list[float] | None:
    around = None if np.isnan(value) else interval(drawn, clusters)
    return around.ends() if around else None
