"""The tables of the page of thresholds, to read and to take away."""

from collections.abc import Sequence

from annotate.statistics.caption import intervals_of
from core.tables import Cell, PrintedTable, Table, with_ends
from evaluators.thresholds.describe import DescribedScores
from stats.arrays import known
from stats.bootstrap import Interval
from stats.proper_scores import ProperScore
from stats.thresholds import MeasuredF1

SCORES = (
    *("evaluator", "n", "scored", "unscored", "unparsed", "missing", "errors"),
    *("average_precision", "average_precision_low", "average_precision_high"),
    *("area_under_roc", "area_under_roc_low", "area_under_roc_high"),
    *("calibration_error", "calibration_error_low", "calibration_error_high"),
    *("risk_at_50", "risk_at_80", "risk_at_100"),
    "calibration_error_observed",
    *("brier", "brier_low", "brier_high", "brier_miscalibration", "brier_discrimination", "brier_uncertainty"),
    *("log", "log_low", "log_high", "log_miscalibration", "log_discrimination", "log_uncertainty"),
)
# In the order of LOSSES.
LOSS_TITLES = ("Brier score", "Log score")
CHOICES = (
    *("evaluator", "used_threshold", "used_f1", "used_f1_low", "used_f1_high"),
    *("best_threshold", "lowest_of_folds", "highest_of_folds", "apparent_f1", "optimism"),
    *("held_out_f1", "held_out_f1_low", "held_out_f1_high", "gain", "gain_low", "gain_high"),
)
# Printed titles.
SCORE_TITLES = {
    "evaluator": "Evaluator",
    "average_precision": "Average precision",
    "area_under_roc": "AUROC",
    "calibration_error": "Calibration error",
    "brier": "Brier score",
    "log": "Log score",
    "scored": "n",
}
CHOICE_TITLES = {
    "evaluator": "Evaluator",
    "used_threshold": "Threshold",
    "used_f1": "F1",
    "best_threshold": "Best threshold",
    "held_out_f1": "F1 held out",
    "gain": "Gain",
}
OTHER_TITLES = {
    "n": "Units",
    "unscored": "Without a score",
    "unparsed": "Unparsed",
    "missing": "Missing",
    "errors": "Share of errors",
    "risk_at_50": "Risk at 50 % coverage",
    "risk_at_80": "Risk at 80 % coverage",
    "risk_at_100": "Risk at 100 % coverage",
    "calibration_error_observed": "Calibration error, observed",
    **{
        f"{name}_{part}": f"{title}, {part}"
        for name, title in (("brier", "Brier score"), ("log", "Log score"))
        for part in ("miscalibration", "discrimination", "uncertainty")
    },
    "lowest_of_folds": "Lowest of folds",
    "highest_of_folds": "Highest of folds",
    "apparent_f1": "Apparent F1",
    "optimism": "Optimism",
}
NOT_TESTED = "Evaluators are not tested against each other."


def scores_table(described: Sequence[DescribedScores], data: str) -> Table:
    """data: data set, gold and units in words, as in the table of thresholds."""
    caption = f"Scores of evaluators on {data}, over the n units with a score, with {intervals_of()}. {NOT_TESTED}"
    printed = PrintedTable(SCORE_TITLES, caption, titles=OTHER_TITLES)
    return Table("scores", "the table of scores", SCORES, [_scores_row(each) for each in described], printed)


def thresholds_table(described: Sequence[DescribedScores], human: float | None, data: str) -> Table:
    """Below the evaluators the trivial baselines, on the scored units of the first, and people."""
    rows = [_choice_row(each) for each in described]
    rows += [_only_f1(name, figure) for name, figure in described[0].trivial.items()]
    if human is not None:
        rows.append(_only_f1("one annotator against the other", human))
    caption = (
        f"F1 of evaluators at the threshold that they use and at the best one, chosen on other prompts, on {data} "
        f"(n = {len(described[0].scores.units.score):,} of {described[0].name}), with {intervals_of()}. {NOT_TESTED}"
    )
    printed = PrintedTable(CHOICE_TITLES, caption, titles=OTHER_TITLES)
    return Table("thresholds", "the table of thresholds", CHOICES, rows, printed)


def _scores_row(each: DescribedScores) -> list[Cell]:
    scores, areas = each.scores, each.areas
    return [
        each.name,
        scores.n,
        len(scores.units.score),
        scores.unscored,
        scores.unparsed,
        scores.missing,
        each.prevalence,
        *_with_ends(areas.average_precision, areas.average_precision_interval),
        *_with_ends(areas.area_under_roc, areas.area_under_roc_interval),
        *_with_ends(each.reliability.error, each.reliability.interval),
        *each.risks,
        known(each.reliability.observed),
        *(cell for loss in each.losses.values() for cell in _loss_cells(loss)),
    ]


def _loss_cells(loss: ProperScore) -> list[Cell]:
    """Infinite losses are empty cells, as undefined ones are."""
    value, *parts = loss.finite.values()
    return [*with_ends(value, loss.interval), *parts]


def _choice_row(each: DescribedScores) -> list[Cell]:
    choice = each.threshold
    if choice is None:
        return [each.name, each.used_threshold, *[None] * (len(CHOICES) - 2)]
    return [
        each.name,
        each.used_threshold,
        *_measured(choice.used),
        choice.chosen,
        float(choice.by_fold.min()),
        float(choice.by_fold.max()),
        choice.apparent,
        choice.optimism,
        *_measured(choice.held_out),
        *_measured(choice.gain),
    ]


def _only_f1(name: str, figure: float | None) -> list[Cell]:
    return [name, None, figure, *[None] * (len(CHOICES) - 3)]


def _measured(measured: MeasuredF1) -> list[Cell]:
    return _with_ends(measured.f1, measured.interval)


def _with_ends(figure: float, ends: Interval | None) -> list[Cell]:
    value = known(figure)
    return [*with_ends(value, None if value is None else ends)]
