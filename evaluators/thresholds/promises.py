"""A promise on the mistakes of an evaluator whose lowest scores go to people or to another evaluator.

See docs/statistics.md, Promises.
"""

import hashlib
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from core.caching import cached
from core.errors import DataError
from evaluators.combinations.measure import judged_at
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.study import ComparisonStudy, gold_state
from evaluators.predictions.prices import DOLLARS, THOUSAND, read_bills
from evaluators.predictions.read import run_state
from evaluators.thresholds.read import Scope, read_scores, with_scores
from stats.arrays import Flags, Floats, known
from stats.bootstrap import SEED
from stats.detection import CORRECT, ERROR, Level
from stats.ensembles import total
from stats.risk_control import (
    PromptLosses,
    TestedSettings,
    control_risk,
    fewest_prompts,
    missed_errors,
    prompts_needed,
)

MISSED, AMONG_PASSED = "missed", "passed"
RATES = {MISSED: "of the errors, the share that is passed", AMONG_PASSED: "of what is passed, the share of errors"}
# Fixed before looking, from the most cautious: at 1 nothing is passed. Finer at the ends,
# where the probabilities of a model lie together.
FINE = (0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.0)
THRESHOLDS = (*(1 - each for each in FINE[::-1]), *(each / 100 for each in range(99, 0, -1)), *FINE)
# The ends of what may be stated. Rates nearer to 0 would take more prompts than there are, and a promise that is kept
# less often than not is none.
RATE_ENDS, PROBABILITY_ENDS = (0.001, 0.999), (0.5, 0.999)
# A share of errors among few units that are passed cannot be shown, so sequences begin at several thresholds.
STARTS = {MISSED: 1, AMONG_PASSED: 5}


@dataclass(frozen=True)
class Promise:
    """evaluator: passes the units with a score above a threshold. then: the evaluator that judges the others, None for
    people. of: what the rate is a share of, one of RATES. most_units: see `missed_errors`."""

    evaluator: str
    then: str | None = None
    of: str = MISSED
    rate: float = 0.1
    probability: float = 0.95
    most_units: int | None = None


class PromiseSetting(TypedDict):
    """A threshold, in the order of the test (docs/commands.md, `risk_control`)."""

    threshold: float
    asked: float | None
    deferred: float
    rate: float | None
    bound: float
    p: float
    tested: bool
    qualified: bool
    price_usd: float | None


class PromiseOutcome(TypedDict):
    """The document of `risk_control`."""

    dataset: str
    gold_version: str | None
    evaluator: str
    then: str | None
    level: str
    slice: str
    of: str
    rate: float
    probability: float
    seed: int
    most_units: int | None
    n: int
    prompts: int
    error_prompts: int
    refused: str | None
    needed: int | None
    qualified: PromiseSetting | None
    settings: list[PromiseSetting]


def check_promise(promise: Promise) -> None:
    """DataError: a share that is not within its ends."""
    for name, share, (least, most) in (
        ("rate", promise.rate, RATE_ENDS),
        ("probability", promise.probability, PROBABILITY_ENDS),
    ):
        if not least <= share <= most:
            raise DataError(f"The {name} is to be from {least:g} to {most:g}, not {share:g}.")
    if promise.most_units is not None and promise.most_units < 1:
        raise DataError(f"A prompt is to count as 1 unit or more, not {promise.most_units}.")


def promise_of(study: ComparisonStudy, promise: Promise, scope: Scope) -> PromiseOutcome:
    """The thresholds tested in their order; kept while neither gold nor the runs change.

    DataError: a share is not within its ends, or an evaluator is not there or gave no scores.
    """
    check_promise(promise)
    scored = with_scores(study.judges)
    if promise.evaluator not in scored:
        raise DataError(f"{study.dataset.name} has no finished run of {promise.evaluator!r} with scores.")
    others = {judge.name: judge for judge in study.judges if judge.run and judge.name != promise.evaluator}
    if promise.then is not None and promise.then not in others:
        raise DataError(f"{study.dataset.name} has no other finished run of {promise.then!r}.")
    judges = [scored[promise.evaluator][0], *([others[promise.then]] if promise.then else [])]
    runs = [run_state(judge.run) for judge in judges if judge.run]
    named = study.dataset.name, study.version.name if study.version else None
    state = [gold_state(study.dataset, study.version), named, runs, promise, scope.level, scope.slice]
    key = f"promise-{hashlib.sha256(repr(state).encode()).hexdigest()}"
    return cached(key, lambda: _describe(study, judges, promise, scope))


def next_evaluators(study: ComparisonStudy, evaluator: str) -> list[str]:
    """The evaluators that may judge what this one does not pass."""
    return [
        judge.name for judge in study.judges if judge.run and judge.method not in TRIVIAL and judge.name != evaluator
    ]


@dataclass(frozen=True)
class SettingUnits:
    """N units with gold under S thresholds, each (N, S): passed as right, and asked of the second evaluator."""

    passed: Flags
    asked: Flags


def _describe(study: ComparisonStudy, judges: list[Judge], promise: Promise, scope: Scope) -> PromiseOutcome:
    level = next(level for level in gold_levels(study.table) if level.name == scope.level)
    judged = scope.of(study.table) & np.isin(level.gold, (CORRECT, ERROR))
    error, cluster = level.gold[judged] == ERROR, level.cluster[judged]
    units = _units(study, judges, scope, judged)
    losses = missed_errors(
        cluster, error, units.passed, among_passed=promise.of == AMONG_PASSED, most=promise.most_units
    )
    error_prompts = len(np.unique(cluster[error]))
    starts = _starts(promise)
    fewest = fewest_prompts(promise.rate, (1 - promise.probability) / len(starts))
    outcome: PromiseOutcome = {
        "dataset": study.dataset.name,
        "gold_version": study.version.name if study.version else None,
        "evaluator": promise.evaluator,
        "then": promise.then,
        "level": scope.level,
        "slice": scope.slice,
        "of": promise.of,
        "rate": promise.rate,
        "probability": promise.probability,
        "seed": SEED,
        "most_units": promise.most_units,
        "n": len(error),
        "prompts": len(losses.lost),
        "error_prompts": error_prompts,
        "refused": None,
        "needed": None,
        "qualified": None,
        "settings": [],
    }
    if promise.of == MISSED and error_prompts < fewest:
        prompts = "1 prompt" if error_prompts == 1 else f"{error_prompts} prompts"
        why = f"{prompts} with an error, and it takes at least {fewest} for this promise"
        return {**outcome, "refused": why, "needed": fewest}
    if not judged.any():
        return {**outcome, "refused": "no unit has gold here"}
    tested = control_risk(losses, promise.rate, promise.probability, starts=starts)
    settings = _rows(tested, losses, units, _prices(study, judges, level, judged, units))
    place = tested.cheapest
    return {
        **outcome,
        "needed": None if place is not None else _needed(losses, promise, tested.level),
        "qualified": None if place is None else settings[place],
        "settings": settings,
    }


def _starts(promise: Promise) -> list[int]:
    count = STARTS[promise.of]
    return [len(THRESHOLDS) * place // count for place in range(count)]


def _units(study: ComparisonStudy, judges: list[Judge], scope: Scope, judged: Flags) -> SettingUnits:
    """Units without a score are never passed by the first evaluator, and those without a decision not by the second."""
    scores = read_scores(study, judges[0], scope)
    score: Floats = np.full(len(judged), -1.0)
    score[scores.places] = scores.units.score
    passed = score[judged][:, None] > np.array(THRESHOLDS)
    if len(judges) == 1:
        return SettingUnits(passed, np.zeros_like(passed))
    predictions = judges[1].predictions
    decisions = decisions_by_level(study.table, predictions.units, predictions.segments)[scope.level][judged]
    return SettingUnits(passed | (decisions == CORRECT)[:, None], ~passed)


def _prices(
    study: ComparisonStudy, judges: list[Judge], level: Level, judged: Flags, units: SettingUnits
) -> list[float | None]:
    """US dollars of the evaluators' calls for a thousand units; None where one is not known."""
    bills = read_bills([judge.run for judge in judges], study.table, DOLLARS, {})
    whole = judged_at(study.table, level, judged)
    prices: list[float | None] = []
    for setting in range(units.asked.shape[1]):
        asked = np.zeros(len(judged), dtype=np.bool_)
        asked[judged] = units.asked[:, setting]
        members = [(bills.answers[0], whole)]
        members += [(bills.answers[1], judged_at(study.table, level, asked))] if len(judges) > 1 else []
        prices.append(known(THOUSAND * total(members, bills.amounts) / max(1, int(whole.sum()))))
    return prices


def _rows(
    tested: TestedSettings, losses: PromptLosses, units: SettingUnits, prices: list[float | None]
) -> list[PromiseSetting]:
    with_second = bool(units.asked.any())
    return [
        {
            "threshold": threshold,
            "asked": float(units.asked[:, place].mean()) if with_second else None,
            "deferred": float(1 - units.passed[:, place].mean()),
            "rate": known(losses.rates[place]),
            "bound": float(tested.bound[place]),
            "p": float(tested.p[place]),
            "tested": bool(tested.tested[place]),
            "qualified": bool(tested.qualified[place]),
            "price_usd": prices[place],
        }
        for place, threshold in enumerate(THRESHOLDS)
    ]


def _needed(losses: PromptLosses, promise: Promise, level: float) -> int | None:
    """For the threshold of a start that takes the fewest prompts: about so many with an error (or with a unit that is
    passed); None: the evaluator's rate is too high at each of them."""
    numbers = [prompts_needed(losses, start, promise.rate, level) for start in _starts(promise)]
    return min((number for number in numbers if number is not None), default=None)
