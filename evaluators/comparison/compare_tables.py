"""The tables of the comparison page, to take away."""

from collections.abc import Mapping, Sequence
from itertools import chain

from annotate.templatetags.amounts import domain_name
from core.tables import Cell, PrintedTable, Table, with_ends
from evaluators.comparison.caption import caption_by_slice, caption_of, caption_of_pairs
from evaluators.comparison.documents import ComparisonFigures
from evaluators.comparison.evaluator_rows import HUMAN, EvaluatorRow, HumanReference, figure_value
from evaluators.comparison.figures import FIGURE_TITLES
from evaluators.comparison.page_state import ComparisonState
from evaluators.comparison.slices import ALL
from evaluators.comparison.verdict_text import EvaluatorPair, is_top, standings_of
from stats.detection import ends_of, figure_of


def tables_of(
    lines: Sequence[EvaluatorRow],
    pairs: Sequence[EvaluatorPair],
    people: Mapping[str, HumanReference],
    state: ComparisonState,
    document: ComparisonFigures,
) -> list[Table]:
    """document: the figures that the lines are of, for the captions of printed tables."""
    top = _top(lines, pairs, state)
    return [
        _evaluators(
            lines, people, state, PrintedTable(_printed_titles(state), caption_of(document), top, _printed(state))
        ),
        _pairs(pairs, state, caption_of_pairs(document)),
        _grid(lines, people, state, caption_by_slice(document, state.by.title, state.shown_slices)),
    ]


def _top(lines: Sequence[EvaluatorRow], pairs: Sequence[EvaluatorPair], state: ComparisonState) -> frozenset[int]:
    """The places of the lines that are bold in print: the highest, and those not surely lower."""
    standings = standings_of(lines, pairs, state.figure)
    return frozenset(place for place, line in enumerate(lines) if is_top(standings.get(line.name)))


def _printed(state: ComparisonState) -> str:
    return f"{state.figure_title}, undecided wrong"


def _printed_titles(state: ComparisonState) -> dict[str, str]:
    same = ("Rank", "Evaluator")
    return {**{title: title for title in same}, _printed(state): state.figure_title, "n": "n", "Coverage": "Coverage"}


def _evaluators(
    lines: Sequence[EvaluatorRow],
    people: Mapping[str, HumanReference],
    state: ComparisonState,
    printed: PrintedTable,
) -> Table:
    figure = state.figure_title
    others = [name for name in FIGURE_TITLES if name != state.figure]
    columns = (
        "Rank",
        "Evaluator",
        figure,
        f"{figure} low",
        f"{figure} high",
        f"{figure} worst",
        f"{figure} best",
        f"{figure} worst with missing",
        f"{figure} best with missing",
        *(FIGURE_TITLES[name] for name in others),
        "n",
        "Coverage",
        "Unparsed",
        "Price in US dollars",
        f"{figure}, undecided wrong",
        f"{figure}, undecided wrong, low",
        f"{figure}, undecided wrong, high",
        "Not ranked because",
        "Ranks, all at once",
    )
    rows = [_line(line, state, others) for line in lines]
    if people:
        whole, nothing = people[ALL], [None] * (len(others) + 4)
        rows.append([None, HUMAN, whole.f1, *(whole.interval or (None, None)), *nothing, whole.n, *[None] * 8])
    return Table("evaluators", "the table of evaluators", columns, rows, printed)


def _line(line: EvaluatorRow, state: ComparisonState, others: Sequence[str]) -> list[Cell]:
    whole = line.whole
    return [
        line.ranks or None,
        line.name,
        figure_of(whole, state.figure),
        *(ends_of(whole, f"{state.figure}_interval") or (None, None)),
        *(ends_of(whole, f"{state.figure}_bounds") or (None, None)),
        *(ends_of(whole, f"{state.figure}_bounds_with_missing") or (None, None)),
        *(figure_of(whole, name) for name in others),
        whole["n"],
        whole["coverage"],
        whole["unparsed"],
        line.cost_usd,
        whole["pessimistic"][state.figure],
        *(whole["pessimistic_intervals"].get(state.figure) or (None, None)),
        line.unranked,
        line.together or None,
    ]


# The printed columns of the pairs, with their titles.
OF_PAIRS = {
    "Higher": "Higher",
    "Lower": "Lower",
    "Difference": "Difference",
    "Adjusted p": "Adjusted p",
    "Sure": "Significant",
}


def _pairs(pairs: Sequence[EvaluatorPair], state: ComparisonState, caption: str) -> Table:
    columns = (
        *("Higher", "Lower", "Units judged by both", "Difference", "Low", "High", "p", "p after Holm", "Sure"),
        *("Units", "Adjusted p", "Simultaneous low", "Simultaneous high", "Difference on units judged by both"),
        *("p of runs permuted", "Smallest possible p of runs permuted"),
    )
    rows = [
        [
            pair.first,
            pair.second,
            pair.n_both_judged,
            pair.difference,
            *(pair.alone or (None, None)),
            pair.p,
            pair.p_holm,
            ("yes" if pair.sure else "no") if pair.tested else "not tested",
            pair.n,
            pair.p_adjusted,
            *(pair.interval or (None, None)),
            pair.difference_both_judged,
            pair.p_runs,
            pair.p_runs_floor,
        ]
        for pair in pairs
    ]
    printed = PrintedTable(OF_PAIRS, caption, ends={"Difference": ("Simultaneous low", "Simultaneous high")})
    return Table("pairs", f"the differences in {state.figure_title}", columns, rows, printed)


def _grid(
    lines: Sequence[EvaluatorRow], people: Mapping[str, HumanReference], state: ComparisonState, caption: str
) -> Table:
    """The figures by slice, each with both ends of its interval."""
    names = state.shown_slices
    rows: list[list[Cell]] = []
    for line in lines:
        values = [figure_value(line.results.get(name), state.figure) for name in names]
        cells = [with_ends(each.value, each.interval) if each else (None, None, None) for each in values]
        rows.append([line.name, *chain.from_iterable(cells)])
    if people:
        rows.append([HUMAN, *chain.from_iterable(with_ends(people[name].f1, people[name].interval) for name in names)])
    titles = [domain_name(name) for name in names]
    heads = [head for title in titles for head in (title, f"{title} low", f"{title} high")]
    printed = PrintedTable({title: title for title in ("Evaluator", *titles)}, caption)
    return Table("slices", f"{state.figure_title} by slice", ("Evaluator", *heads), rows, printed)
