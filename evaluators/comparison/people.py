"""People and evaluators on the same targets, and whether an evaluator may replace an annotator.

See docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Collection, Mapping
from typing import TypedDict

import numpy as np

from annotate.models import Dataset, GoldVersion, User
from annotate.people.names import Names
from evaluators.comparison.annotators import Annotator, read_annotators
from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.comparison.levels import decisions_by_level, gold_levels, judged_in_relevant
from evaluators.comparison.question import PeopleQuestion, level_named
from evaluators.comparison.study import ComparisonStudy, study_of
from evaluators.predictions.read import Predictions
from stats.alternative_annotator import (
    EPSILONS,
    PASSING_RATE,
    AlternativeAnnotatorTest,
    compare_with_annotators,
    why_no_test,
)
from stats.arrays import Floats
from stats.bootstrap import Interval
from stats.dawid_skene import UncertainF1, UncertainGold, f1_of_uncertain, uncertain_gold
from stats.detection import CORRECT, ERROR, MISSING, Decisions
from stats.gold_table import GoldTable
from stats.left_out import LikeWithLike, PeoplesLabels, like_with_like, stack_labels
from stats.soft_labels import SoftLabelDistance, soft_label_distances

NO_TARGET = "no unit was labelled by two annotators"
NO_ERROR = "no error among the targets"
UNKNOWN = UncertainF1(None, None)


class LeftOutRow(TypedDict):
    """An annotator who is left out. judge: the share of units on which the judge agrees with the others as much as the
    annotator or more; own: the reverse. p, beaten: for each of the epsilons."""

    annotator: str
    n: int
    judge: float
    own: float
    p: list[float]
    beaten: list[bool]


class AnnotatorRates(TypedDict):
    """sensitivity: the share of errors that the annotator calls errors; specificity: of correct units, correct;
    competence: the share of units of which the annotator knows the truth."""

    annotator: str
    sensitivity: float
    specificity: float
    competence: float


class EvaluatorBesidePeople(TypedDict):
    """An evaluator on the people's targets. soft_distance: from the share of the others who say error, and less the
    people's; None: no target. uncertain_f1: F1 corrected for the annotators' error rates; it and
    advantage, winning_rate, replaces, annotators: None where there are too few annotators for a test."""

    evaluator: str
    baseline: bool
    f1: float | None
    f1_interval: list[float] | None
    difference: float | None
    difference_interval: list[float] | None
    soft_distance: float | None
    soft_distance_interval: list[float] | None
    soft_difference: float | None
    soft_difference_interval: list[float] | None
    uncertain_f1: float | None
    uncertain_f1_interval: list[float] | None
    advantage: float | None
    winning_rate: list[float] | None
    replaces: list[bool] | None
    annotators: list[LeftOutRow] | None


class PeopleFigures(TypedDict):
    """n: labels that have a target. f1: of people, each left out in turn, against what most of the others say.
    prevalence, annotators: the share of errors and the annotators' rates by Dawid and Skene; None as for a test. An
    `annotator` is a primary key until name_annotators names it: a reader's role decides which name."""

    level: str
    n: int
    f1: float | None
    f1_interval: list[float] | None
    soft_distance: float | None
    soft_distance_interval: list[float] | None
    prevalence: float | None
    annotators: list[AnnotatorRates] | None
    epsilons: list[float]
    evaluators: list[EvaluatorBesidePeople]
    undefined: dict[str, str]


def describe_people(dataset: Dataset, version: GoldVersion | None, question: PeopleQuestion) -> PeopleFigures:
    """Compute the figures in this process (ready.py keeps them).

    DataError: an evaluator or a level that is not there.
    """
    study = study_of(dataset, version, question.evaluators)
    return _describe(study, level_named(study.table, question.level), question.evaluators)


def name_annotators(figures: PeopleFigures, names: Names) -> PeopleFigures:
    """The figures with names in place of primary keys, in the order of the names."""
    if figures["annotators"] is None:
        return figures
    people = User.objects.filter(pk__in=[rates["annotator"] for rates in figures["annotators"]])
    known = {str(pk): names.known_as(pk, username) for pk, username in people.values_list("pk", "username")}
    rates: list[AnnotatorRates] = [{**each, "annotator": known[each["annotator"]]} for each in figures["annotators"]]
    rows: list[EvaluatorBesidePeople] = [
        {**row, "annotators": _named(row["annotators"], known)} for row in figures["evaluators"]
    ]
    return {**figures, "annotators": sorted(rates, key=lambda each: each["annotator"]), "evaluators": rows}


def _named(rows: list[LeftOutRow] | None, known: Mapping[str, str]) -> list[LeftOutRow] | None:
    named: list[LeftOutRow] = [{**row, "annotator": known[row["annotator"]]} for row in rows or ()]
    return None if rows is None else sorted(named, key=lambda row: row["annotator"])


def _describe(study: ComparisonStudy, level: str, names: Collection[str] | None) -> PeopleFigures:
    table = study.table
    annotators = read_annotators(study.dataset)
    cluster = next(each.cluster for each in gold_levels(table) if each.name == level)
    labels = stack_labels([each.decisions(table, level) for each in annotators], len(cluster))
    # No figure rests on the other units, which are most of them where hundreds of annotators have just begun.
    labelled = (labels != MISSING).any(axis=0)
    people = PeoplesLabels(labels[:, labelled], cluster[labelled])
    judges = [judge for judge in study.judges if names is None or judge.method in TRIVIAL or judge.name in names]
    decided = [_decisions(table, judge.predictions, level)[labelled] for judge in judges]
    alike = like_with_like(people, decided, study.resampling)
    answers = [_probabilities(table, judge, level)[labelled] for judge in judges]
    soft = soft_label_distances(people, answers, study.resampling)
    tests = [compare_with_annotators(people, each) for each in decided]
    why_not = why_no_test(people)
    gold = None if why_not else uncertain_gold(people)
    uncertain = f1_of_uncertain(gold, people, decided, study.resampling) if gold else [UNKNOWN] * len(judges)
    # The people's figure is the same beside every judge; the trivial ones are always among them.
    return {
        "level": level,
        "n": alike[0].n,
        "f1": alike[0].people,
        "f1_interval": _ends(alike[0].people_interval),
        "soft_distance": soft[0].people,
        "soft_distance_interval": _ends(soft[0].people_interval),
        "prevalence": gold.prevalence if gold else None,
        "annotators": _rates(gold, annotators) if gold else None,
        "epsilons": [*EPSILONS],
        "evaluators": [
            _row(judge, figures, by_share, by_rates, test, annotators)
            for judge, figures, by_share, by_rates, test in zip(judges, alike, soft, uncertain, tests, strict=True)
        ],
        "undefined": _reasons(alike[0], soft[0], why_not),
    }


def _decisions(table: GoldTable, predictions: Predictions, level: str) -> Decisions:
    return np.asarray(decisions_by_level(table, predictions.units, predictions.segments)[level])


def _probabilities(table: GoldTable, judge: Judge, level: str) -> Floats:
    """The probability of an error at each unit of the level: by the judge's score where it gave one, else 0 or 1 by its
    verdict; nan where it has none."""
    decided = _decisions(table, judge.predictions, level)
    verdicts = np.select([decided == ERROR, decided == CORRECT], [1.0, 0.0], np.nan)
    if level != gold_levels(table)[0].name:
        return verdicts
    scores = judge.predictions.scores[judged_in_relevant(table)]
    return np.where(np.isnan(scores) | np.isnan(verdicts), verdicts, 1 - scores)


def _reasons(figures: LikeWithLike, soft: SoftLabelDistance, why_not: str) -> dict[str, str]:
    no_target = "" if soft.people is not None else NO_TARGET
    reasons = {
        "soft_distance": no_target,
        "f1": "" if figures.people is not None else NO_ERROR if figures.n else NO_TARGET,
        "test": why_not,
    }
    return {name: reason for name, reason in reasons.items() if reason}


def _rates(gold: UncertainGold, annotators: list[Annotator]) -> list[AnnotatorRates]:
    return [
        {
            "annotator": str(each.person),
            "sensitivity": float(gold.sensitivity[place]),
            "specificity": float(gold.specificity[place]),
            "competence": float(gold.competence[place]),
        }
        for place, each in enumerate(annotators)
    ]


def _row(
    judge: Judge,
    figures: LikeWithLike,
    soft: SoftLabelDistance,
    uncertain: UncertainF1,
    test: AlternativeAnnotatorTest | None,
    annotators: list[Annotator],
) -> EvaluatorBesidePeople:
    return {
        "evaluator": judge.name,
        "baseline": judge.method in TRIVIAL,
        "f1": figures.judge,
        "f1_interval": _ends(figures.judge_interval),
        "difference": figures.difference,
        "difference_interval": _ends(figures.difference_interval),
        "soft_distance": soft.judge,
        "soft_distance_interval": _ends(soft.judge_interval),
        "soft_difference": soft.difference,
        "soft_difference_interval": _ends(soft.difference_interval),
        "uncertain_f1": uncertain.f1,
        "uncertain_f1_interval": _ends(uncertain.interval),
        "advantage": test.advantage if test else None,
        "winning_rate": test.winning_rate.tolist() if test else None,
        "replaces": (test.winning_rate >= PASSING_RATE).tolist() if test else None,
        "annotators": _left_out(test, annotators) if test else None,
    }


def _left_out(test: AlternativeAnnotatorTest, annotators: list[Annotator]) -> list[LeftOutRow]:
    return [
        {
            "annotator": str(annotators[each.annotator].person),
            "n": each.n,
            "judge": each.judge,
            "own": each.own,
            "p": each.p.tolist(),
            "beaten": each.beaten.tolist(),
        }
        for each in test.compared
    ]


def _ends(around: Interval | None) -> list[float] | None:
    return around.ends() if around else None
