"""The figures of an evaluator's scores at a level and in a slice, cached while gold and its run do not change."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from core.caching import cached
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decisions_by_level
from evaluators.comparison.study import ComparisonStudy, gold_state
from evaluators.models import Run
from evaluators.predictions.read import run_state
from evaluators.thresholds.read import EvaluatorScores, Scope, read_scores
from stats.arrays import known, ratio
from stats.calibration import Reliability, reliability
from stats.curves import Areas, Curve, RiskCurve, areas_of, curve_of, risk_against_coverage, risk_at, spread
from stats.detection import f1, tally
from stats.proper_scores import LOSSES, ProperScore, proper_score
from stats.thresholds import ThresholdChoice, choose

# Points of a curve as it is drawn: 720 pixels show no more. The figures are computed from every score.
POINTS = 200
COVERAGES = (0.5, 0.8, 1.0)


@dataclass(frozen=True)
class DescribedScores:
    """The scores of one evaluator. prevalence: the share of errors among its scored units, None without units.

    losses: its proper scores by the names of LOSSES. curve, risk: thinned for drawing. risks: at each of COVERAGES,
    None where undefined. choice: or why there is none. used: between which scores its own decisions change, None where
    they do not follow from the scores. setting: the parameter that sets its threshold, its name and value. trivial: the
    F1 of each trivial baseline on the same units.
    """

    name: str
    run: Run
    scores: EvaluatorScores
    prevalence: float | None
    areas: Areas
    curve: Curve
    reliability: Reliability
    losses: dict[str, ProperScore]
    risk: RiskCurve
    risks: tuple[float | None, ...]
    choice: ThresholdChoice | str
    used: tuple[float, float] | None
    setting: tuple[str, float] | None
    trivial: dict[str, float | None]

    @property
    def average_precision(self) -> float | None:
        return known(self.areas.average_precision)

    @property
    def area_under_roc(self) -> float | None:
        return known(self.areas.area_under_roc)

    @property
    def calibration_error(self) -> float | None:
        return known(self.reliability.error)

    @property
    def threshold(self) -> ThresholdChoice | None:
        return self.choice if isinstance(self.choice, ThresholdChoice) else None

    @property
    def used_threshold(self) -> float | None:
        """The evaluator's setting, or the middle between the scores where its decisions change."""
        if self.setting:
            return self.setting[1]
        return sum(self.used) / 2 if self.used else None


def describe_scores(study: ComparisonStudy, judge: Judge, run: Run, scope: Scope) -> DescribedScores:
    """The figures of the scores of the judge's run."""
    state = [gold_state(study.dataset, study.version), run_state(run), scope.level, scope.slice]
    key = f"proper-score-figures-{hashlib.sha256(repr(state).encode()).hexdigest()}"
    return cached(key, lambda: _describe(study, judge, run, scope))


def _describe(study: ComparisonStudy, judge: Judge, run: Run, scope: Scope) -> DescribedScores:
    scores = read_scores(study, judge, scope)
    units = scores.units
    curve, risk = curve_of(units), risk_against_coverage(units)
    points, taken = spread(len(curve.threshold), POINTS), spread(len(risk.risk), POINTS)
    return DescribedScores(
        name=judge.name,
        run=run,
        scores=scores,
        prevalence=known(ratio(units.error.sum(), np.array(len(units.error)))),
        areas=areas_of(units, study.resampling),
        curve=replace(curve, threshold=curve.threshold[points], tp=curve.tp[points], fp=curve.fp[points]),
        reliability=reliability(units, study.resampling),
        losses={name: proper_score(units, loss, study.resampling) for name, loss in LOSSES.items()},
        risk=RiskCurve(risk.coverage[taken], risk.risk[taken], risk.confidence[taken]),
        risks=tuple(known(risk_at(risk, coverage)) for coverage in COVERAGES),
        choice=choose(units, study.resampling),
        used=_used(scores),
        setting=_setting(run),
        trivial={each.method: _f1_on(study, each, scope, scores) for each in study.judges if each.method in TRIVIAL},
    )


def _used(scores: EvaluatorScores) -> tuple[float, float] | None:
    """The highest score that the evaluator calls an error, and the lowest that it does not."""
    called, score = scores.units.called, scores.units.score
    if called.all() or not called.any():
        return None
    ends = float(score[called].max()), float(score[~called].min())
    return ends if ends[0] <= ends[1] else None


def _setting(run: Run) -> tuple[str, float] | None:
    thresholds = (each for each in run.evaluator.parameters.items() if each[0].endswith("threshold"))
    return next(thresholds, None)


def _f1_on(study: ComparisonStudy, judge: Judge, scope: Scope, scores: EvaluatorScores) -> float | None:
    """The F1 of another judge on the scored units."""
    table = study.table
    gold = decisions_by_level(table, table.units.value)[scope.level][scores.places]
    decisions = decisions_by_level(table, judge.predictions.units, judge.predictions.segments)[scope.level][
        scores.places
    ]
    return known(f1(tally(gold, decisions, np.zeros(len(gold), np.int64), 1).counts)[0])
