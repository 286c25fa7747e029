"""The caption of a printed table of evaluators: data set, gold, units, test and seed."""

from collections.abc import Iterable

from annotate.templatetags.amounts import domain_name
from evaluators.comparison.documents import ComparisonFigures, Report
from evaluators.comparison.evaluator_rows import figure_value
from evaluators.comparison.figures import FIGURE_TITLES
from evaluators.comparison.levels import level_title
from evaluators.comparison.question import FAMILIES
from evaluators.comparison.slices import ALL

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


def caption_by_slice(document: ComparisonFigures, title: str, slices: Iterable[str]) -> str:
    """The caption of the figures by slice, which no test compares; it has the units with gold in each."""
    figure = FIGURE_TITLES[document["question"]["figure"]]
    results = document["evaluators"][0]["results"]
    counted = [(name, figure_value(results.get(name), document["question"]["figure"])) for name in slices]
    n = ", ".join(f"{domain_name(name)} {found.n if found else 0:,}" for name, found in counted)
    return (
        f"{figure} of evaluators on {_data(document)}, {_level(document)}, by {title.lower()} "
        f"(n: {n}), with 95 % intervals ({_resampling(document)}). {UNDECIDED} Slices are not tested."
    )


def caption_of_report(report: Report, title: str, n: int | None) -> str:
    """The caption of a leaderboard."""
    units = "" if n is None else f" (n = {n:,})"
    return (
        f"Evaluators on {_data(report)}, {title.lower()}{units}, with 95 % intervals ({_resampling(report)}). "
        f"{UNDECIDED} {BOLD} {_test('leader')}."
    )


def test_of(document: ComparisonFigures) -> str:
    """How differences are tested, in one sentence without its full stop."""
    return f"{_test(document['question']['family'])}; {_resampling(document)}"


def _test(family: str) -> str:
    return f"Test: prompts permuted, step-down over {FAMILIES[family]}, p < 0.05"


def _data(document: ComparisonFigures | Report) -> str:
    gold = document["gold_version"]
    return f"{document['dataset']} ({f'gold {gold}' if gold else 'current gold, not frozen'})"


def _level(document: ComparisonFigures) -> str:
    return level_title(document["level"], document.get("scheme", "")).lower()


def _resampling(document: ComparisonFigures | Report) -> str:
    return f"{document['resamples']:,} resamples of whole prompts, seed {document['seed']}"


def _in(slices: Iterable[str]) -> str:
    names = ", ".join(slices)
    return f", only {names}" if names else ""
