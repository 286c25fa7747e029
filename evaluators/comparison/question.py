"""The question of a comparison, and the key of its cached figures."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotate.models import Dataset, GoldVersion, Scheme
from core.errors import DataError
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.levels import responses_by_level
from evaluators.comparison.slices import slicings
from evaluators.comparison.study import gold_state, labels_state
from evaluators.models import Run
from evaluators.predictions.read import run_state
from evaluators.runs.repeats import all_runs, run_sets
from stats.detection import METRICS
from stats.gold_table import GoldTable

# The pairs that are tested together: the highest against the others, or every pair.
LEADER, EVERY_PAIR = "leader", "pairs"
FAMILIES = {LEADER: "the highest against each of the others", EVERY_PAIR: "every pair of evaluators"}


@dataclass(frozen=True)
class ComparisonQuestion:
    """The choice of a comparison.

    evaluators: names, beside the trivial baselines, None for all. slicing: a name of `slicings`; slices: those of it
    that count, none for all units. figure: one of METRICS (stats/detection.py). family: one of FAMILIES.
    """

    level: str
    slicing: str
    evaluators: tuple[str, ...] | None = None
    slices: tuple[str, ...] = ()
    figure: str = "f1"
    family: str = LEADER


@dataclass(frozen=True)
class PeopleQuestion:
    """The choice of people beside evaluators: a level, and names as in a comparison. All units of the level count."""

    level: str
    evaluators: tuple[str, ...] | None = None


def question_of(
    dataset: Dataset,
    *,
    level: str = "",
    slicing: str = "",
    evaluators: Collection[str] | None = None,
    slices: Collection[str] = (),
    figure: str = "f1",
    family: str = LEADER,
) -> ComparisonQuestion:
    """The question of commands and programs: where it does not say, the level of labels by domain or subject."""
    of_facts = dataset.scheme == Scheme.FACTSCORE
    return ComparisonQuestion(
        level=level or ("fact" if of_facts else "segment"),
        slicing=slicing or ("subject" if of_facts else "domain"),
        evaluators=tuple(evaluators) if evaluators else None,
        slices=tuple(slices),
        figure=figure,
        family=family,
    )


def asked_question(dataset: Dataset, asked: Mapping[str, Any]) -> ComparisonQuestion:
    """The question of the options that the command and the API call the same."""
    return question_of(
        dataset,
        level=asked["level"],
        slicing=asked["by"],
        evaluators=asked["evaluator"],
        slices=asked["slice"],
        figure=asked["figure"],
        family=asked["family"],
    )


def read_question(fields: Mapping[str, Any]) -> ComparisonQuestion:
    """The question from its fields as they are stored in JSON, where tuples are lists."""
    question = ComparisonQuestion(**fields)
    names = question.evaluators
    return replace(question, evaluators=None if names is None else tuple(names), slices=tuple(question.slices))


def read_people_question(fields: Mapping[str, Any]) -> PeopleQuestion:
    """Likewise."""
    names = fields["evaluators"]
    return PeopleQuestion(fields["level"], None if names is None else tuple(names))


def check_question(question: ComparisonQuestion, table: GoldTable) -> None:
    """DataError: it names a level, slicing, slice or figure that is not there."""
    known_slicings = slicings(table)
    _one_of("level", question.level, responses_by_level(table))
    _one_of("slicing", question.slicing, [name for name in known_slicings if question.level in known_slicings[name].of])
    for name in question.slices:
        _one_of(f"slice by {question.slicing}", name, known_slicings[question.slicing].names)
    _one_of("figure", question.figure, METRICS)
    _one_of("family", question.family, FAMILIES)


def level_named(table: GoldTable, name: str) -> str:
    """The level of that name, where it is empty that of the smallest units. DataError: the dataset has no such one."""
    levels = list(responses_by_level(table))
    _one_of("level", name or levels[0], levels)
    return name or levels[0]


def _one_of(kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise DataError(f"There is no {kind} {name!r}, only {', '.join(known)}.")


def key_of(dataset: Dataset, version: GoldVersion | None, question: ComparisonQuestion) -> str:
    """A name for all that the figures are made of: the question, gold, the annotators' labels, and every run."""
    return f"comparison-{_hash_of(dataset, version, question)}"


def people_key_of(dataset: Dataset, version: GoldVersion | None, question: PeopleQuestion) -> str:
    """Likewise of people beside evaluators."""
    return f"people-{_hash_of(dataset, version, question)}"


def _hash_of(dataset: Dataset, version: GoldVersion | None, question: ComparisonQuestion | PeopleQuestion) -> str:
    runs = [(run.evaluator.name, run_state(run)) for run in runs_of(dataset, question.evaluators)]
    named = dataset.name, version.name if version else None
    made_of = [named, gold_state(dataset, version), labels_state(dataset), question, *runs]
    return hashlib.sha256(repr(made_of).encode()).hexdigest()


def runs_of(dataset: Dataset, names: Collection[str] | None) -> list[Run]:
    """The runs that count: of each evaluator all its repeats. names: of evaluators, None for all."""
    return all_runs(
        [
            each
            for each in run_sets(dataset)
            if names is None or each.latest.evaluator.name in names or each.latest.evaluator.method in TRIVIAL
        ]
    )
