"""The captions of printed tables: data set, gold, units, test and seed."""

from collections.abc import Iterable

from annotate.statistics.caption import data_of, intervals_of, resampled, tested
from annotate.templatetags.amounts import domain_name
from evaluators.comparison.documents import ComparisonFigures, Report
from evaluators.comparison.evaluator_rows import figure_value
from evaluators.comparison.figures import FIGURE_TITLES
from evaluators.comparison.levels import level_title
from evaluators.comparison.question import FAMILIES, LEADER
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import ComparisonStudy

BOLD = "Bold: the highest figure and those not significantly lower."
UNDECIDED = "Units without a decision count as wrong."


def caption_of(document: ComparisonFigures) -> str:
    """The caption of a comparison's evaluators."""
    question, (first, *_) = document["question"], document["evaluators"]
    figure = figure_value(first["results"][ALL], question["figure"])
    n = figure.n if figure else 0
    return " ".join(
        (
            f"{FIGURE_TITLES[question['figure']]} of evaluators on {_data(document)},",
            f"{_level(document)}{_in(question['slices'])} (n = {n:,}), with 95 % intervals.",
            UNDECIDED,
            BOLD,
            f"{test_of(document)}.",
        )
    )


def caption_of_pairs(document: ComparisonFigures) -> str:
    """The caption of the differences between evaluators."""
    question, (first, *_) = document["question"], document["evaluators"]
    n = first["results"][ALL]["n"]
    return (
        f"Differences in {FIGURE_TITLES[question['figure']]} between evaluators on {_data(document)}, "
        f"{_level(document)}{_in(question['slices'])} (n = {n:,}), with simultaneous 95 % intervals. {UNDECIDED} "
        f"{test_of(document)}."
    )


def caption_by_slice(document: ComparisonFigures, title: str, slices: Iterable[str]) -> str:
    """The caption of the figures by slice, which no test compares; it has the units with gold in each."""
    figure = FIGURE_TITLES[document["question"]["figure"]]
    results = document["evaluators"][0]["results"]
    counted = [(name, figure_value(results.get(name), document["question"]["figure"])) for name in slices]
    n = ", ".join(f"{domain_name(name)} {found.n if found else 0:,}" for name, found in counted)
    return (
        f"{figure} of evaluators on {_data(document)}, {_level(document)}, by {title.lower()} "
        f"(n: {n}), with {intervals_of(document['resamples'], document['seed'])}. {UNDECIDED} Slices are not tested."
    )


def caption_of_report(report: Report, title: str, n: int | None) -> str:
    """The caption of a leaderboard."""
    units = "" if n is None else f" (n = {n:,})"
    return (
        f"Evaluators on {_data(report)}, {title}{units}, with "
        f"{intervals_of(report['resamples'], report['seed'])}. "
        f"{UNDECIDED} {BOLD} {tested(FAMILIES[LEADER])}."
    )


def test_of(document: ComparisonFigures) -> str:
    """How differences are tested, in one sentence without its full stop."""
    return f"{tested(FAMILIES[document['question']['family']])}; {_resampling(document)}"


def data_of_scope(study: ComparisonStudy, level: str, part: str) -> str:
    """The data set with its gold, level and slice; part: ALL, or the slicing, a colon, and the slice."""
    data = data_of(study.dataset.name, study.version.name if study.version else None)
    within = "" if part == ALL else f", only {part.partition(':')[2]}"
    return f"{data}, {level_title(level, study.dataset.scheme).lower()}{within}"


def _data(document: ComparisonFigures | Report) -> str:
    return data_of(document["dataset"], document["gold_version"])


def _level(document: ComparisonFigures) -> str:
    return level_title(document["level"], document.get("scheme", "")).lower()


def _resampling(document: ComparisonFigures | Report) -> str:
    return resampled(document["resamples"], document["seed"])


def _in(slices: Iterable[str]) -> str:
    names = ", ".join(slices)
    return f", only {names}" if names else ""
