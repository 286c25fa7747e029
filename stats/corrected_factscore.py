"""Corrected scores of all subjects by one evaluator, with the figures that tell how far to trust them.

References
----------
docs/statistics.md, Corrections, thresholds, calibration.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import ROUNDING, Resampling
from stats.factscore_estimation import JudgedShares
from stats.intervals import effective_interval, mean_interval
from stats.prediction_powered import FEWEST_LABELLED, FEWEST_UNLABELLED, prediction_powered
from stats.prevalence_correction import rogan_gladen, sensitivity, specificity

# Totals over responses: f, u and o over the facts with gold and judgement, how many responses; g, how many judged.
GOLD, UNDER, OVER, LABELLED, ESTIMATED, JUDGED = range(6)
FIELDS = 6

NOT_JUDGED = "no response of the subject was judged"
NO_CALIBRATION = "of no other subject it judged labelled facts, or none among them is supported, or none is not"
NO_INFORMATION = "on the other subjects it calls facts supported no more often where they are: se + sp ≤ 1"
NO_LABELS = "the subject has no labels of its own"
ALL_LABELLED = "the subject has fewer than two judged responses without labels"
FEW_LABELS = f"the subject has fewer than {FEWEST_LABELLED} judged responses with labels"
ALL_ALIKE = "the evaluator gives every response the same score"


class Calibration(TypedDict):
    """Sensitivity and specificity over all labelled responses."""

    responses: int
    sensitivity: float | None
    sensitivity_interval: list[float] | None
    specificity: float | None
    specificity_interval: list[float] | None


class CalibratedScore(TypedDict):
    """estimated: the mean over the subject's judged responses. rogan_gladen: calibrated on the labelled responses of
    the other subjects. residual: that correction over its own labelled responses less their gold. residuals_of_others:
    the lowest and the highest residual of the other subjects, None below two."""

    estimated: float | None
    estimated_interval: list[float] | None
    rogan_gladen: float | None
    rogan_gladen_interval: list[float] | None
    residual: float | None
    residual_interval: list[float] | None
    residuals_of_others: list[float] | None
    undefined_resamples: int
    undefined: dict[str, str]


class PoweredScore(TypedDict):
    """Prediction-powered score of a subject with labelled and unlabelled responses."""

    prediction_powered: float | None
    prediction_powered_interval: list[float] | None
    prediction_powered_weight: float | None
    undefined: dict[str, str]


class CorrectedSubject(CalibratedScore):
    """A subject's scores; None where undefined, with the reason under `undefined`."""

    subject: str
    labelled: int
    judged: int
    prediction_powered: float | None
    prediction_powered_interval: list[float] | None
    prediction_powered_weight: float | None


class Corrections(TypedDict):
    """Corrections by one evaluator (docs/commands.md, `score_subjects`)."""

    calibration: Calibration
    subjects: list[CorrectedSubject]


def describe_corrections(
    shares: JudgedShares, subject: Ints, subjects: list[str], prompt: Ints, resampling: Resampling
) -> Corrections:
    """Corrections of each subject's estimated score.

    Calibration and target are resampled by the same draws of prompts.

    Parameters
    ----------
    shares : JudgedShares of R responses
    subject, prompt : (R,) int
    subjects : their names
    resampling : Resampling

    Returns
    -------
    Corrections, a row for each subject.
    """
    sums = _sums(shares, subject, len(subjects), prompt, len(resampling.strata))
    totals = resampling.totals(sums.reshape(len(sums), -1)).reshape(resampling.resamples, len(subjects), FIELDS)
    drawn = Drawn(sums, sums.sum(axis=0)[None], totals)
    rows = [_describe(shares, drawn, subject == place, place, name) for place, name in enumerate(subjects)]
    for row in rows:
        row["residuals_of_others"] = _residual_ends(other for other in rows if other is not row)
    return {"calibration": _calibration(drawn), "subjects": rows}


def _residual_ends(others: Iterable[CorrectedSubject]) -> list[float] | None:
    """How far the correction misses subjects whose gold is known: one alone says nothing of a spread."""
    residuals = [row["residual"] for row in others if row["residual"] is not None]
    return [min(residuals), max(residuals)] if len(residuals) > 1 else None


@dataclass(frozen=True)
class Drawn:
    """Sums (prompts, subjects, FIELDS), their totals (1, subjects, FIELDS), and the totals of each resample."""

    sums: Floats
    whole: Floats
    resampled: Floats

    def prompts(self, subjects: Any, field: int) -> int:
        """The number of prompts with such a response of any of these subjects."""
        return int((self.sums[:, subjects, field].reshape(len(self.sums), -1).sum(axis=1) > 0).sum())


def _describe(shares: JudgedShares, drawn: Drawn, own: Flags, place: int, name: str) -> CorrectedSubject:
    corrected, powered = _correct(drawn, place), _powered(shares, own)
    return {
        "subject": name,
        "labelled": int(drawn.whole[0, place, LABELLED]),
        "judged": int(drawn.whole[0, place, JUDGED]),
        **corrected,
        "prediction_powered": powered["prediction_powered"],
        "prediction_powered_interval": powered["prediction_powered_interval"],
        "prediction_powered_weight": powered["prediction_powered_weight"],
        "undefined": corrected["undefined"] | powered["undefined"],
    }


def _sums(shares: JudgedShares, subject: Ints, subjects: int, prompt: Ints, prompts: int) -> Floats:
    """(prompts, subjects, FIELDS)"""
    columns = (shares.both, shares.under, shares.over, shares.labelled, shares.estimated, shares.judged)
    size = prompts * subjects
    sums: Floats = np.stack(
        [np.bincount(prompt * subjects + subject, np.nan_to_num(column), size) for column in columns], axis=1
    ).astype(np.float64)
    return sums.reshape(prompts, subjects, FIELDS)


def _known_errors(totals: Floats, calibrating: Flags) -> tuple[Floats, Floats]:
    """Sensitivity and specificity in each draw, from the subjects that calibrate."""
    pooled = totals[:, calibrating].sum(axis=1)
    return (
        sensitivity(pooled[:, GOLD], pooled[:, UNDER]),
        specificity(pooled[:, LABELLED], pooled[:, GOLD], pooled[:, OVER]),
    )


def _calibration(drawn: Drawn) -> Calibration:
    labelled: Flags = drawn.whole[0, :, LABELLED] > 0
    own = drawn.sums[:, labelled].sum(axis=1)
    with_supported = int((own[:, GOLD] > ROUNDING).sum())
    with_others = int((own[:, LABELLED] - own[:, GOLD] > ROUNDING).sum())
    (se, sp), (drawn_se, drawn_sp) = (_known_errors(totals, labelled) for totals in (drawn.whole, drawn.resampled))
    return {
        "responses": int(drawn.whole[0, :, LABELLED].sum()),
        "sensitivity": known(se[0]),
        "sensitivity_interval": _ends_of_share(se[0], drawn_se, with_supported),
        "specificity": known(sp[0]),
        "specificity_interval": _ends_of_share(sp[0], drawn_sp, with_others),
    }


def _correct(drawn: Drawn, place: int) -> CalibratedScore:
    others = np.arange(drawn.whole.shape[1]) != place
    estimated, corrected, residual = _figures(drawn.whole, place, others)
    drawn_estimated, drawn_corrected, drawn_residual = _figures(drawn.resampled, place, others)
    judged, calibrating = drawn.prompts(place, JUDGED), drawn.prompts(others, LABELLED)
    prompts, own_prompts = min(judged, calibrating), min(drawn.prompts(place, LABELLED), calibrating)
    undefined = bool(np.isnan(corrected[0]))
    return {
        "estimated": known(estimated[0]),
        "estimated_interval": _ends_of_share(estimated[0], drawn_estimated, judged),
        "rogan_gladen": known(corrected[0]),
        "rogan_gladen_interval": _ends(corrected[0], drawn_corrected, prompts),
        "residual": known(residual[0]),
        "residual_interval": _ends(residual[0], drawn_residual, own_prompts),
        "residuals_of_others": None,
        "undefined_resamples": 0 if undefined else int(np.isnan(drawn_corrected).sum()),
        "undefined": {"rogan_gladen": _why_not(drawn.whole, place, others)} if undefined else {},
    }


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


def _powered(shares: JudgedShares, own: Flags) -> PoweredScore:
    """The unit is the response that answers: with gold and judged (n), or judged alone (N)."""
    with_gold = own & shares.judged & ~np.isnan(shares.gold)
    without = own & shares.judged & np.isnan(shares.gold)
    powered = prediction_powered(shares.gold[with_gold], shares.estimated[with_gold], shares.estimated[without])
    if powered is None:
        why = _why_not_powered(int(with_gold.sum()), int(without.sum()))
        return {
            "prediction_powered": None,
            "prediction_powered_interval": None,
            "prediction_powered_weight": None,
            "undefined": {"prediction_powered": why},
        }
    return {
        "prediction_powered": powered.score,
        "prediction_powered_interval": powered.ends(),
        "prediction_powered_weight": powered.weight,
        "undefined": {},
    }


def _why_not_powered(labelled: int, unlabelled: int) -> str:
    if not labelled:
        return NO_LABELS
    if labelled < FEWEST_LABELLED:
        return FEW_LABELS
    return ALL_LABELLED if unlabelled < FEWEST_UNLABELLED else ALL_ALIKE


def _ends_of_share(value: float, drawn: Floats, clusters: int) -> list[float] | None:
    around = effective_interval(known(value), drawn, clusters)
    return around.ends() if around else None


def _ends(value: float, drawn: Floats, clusters: int) -> list[float] | None:
    around = mean_interval(known(value), drawn, clusters)
    return around.ends() if around else None
