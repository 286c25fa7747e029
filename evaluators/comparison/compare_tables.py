"""The tables of the comparison page, to take away."""

from collections.abc import Mapping, Sequence

from annotate.templatetags.amounts import domain_name
from core.tables import Cell, Table
from evaluators.comparison.compare import HUMAN, Line, People, measured
from evaluators.comparison.page_state import FIGURES, Chosen
from evaluators.comparison.slices import ALL
from evaluators.comparison.verdict_text import Pair


def tables_of(
    lines: Sequence[Line], pairs: Sequence[Pair], people: Mapping[str, People], chosen: Chosen
) -> list[Table]:
    return [_evaluators(lines, people, chosen), _pairs(pairs, chosen), _grid(lines, people, chosen)]


def _evaluators(lines: Sequence[Line], people: Mapping[str, People], chosen: Chosen) -> Table:
    figure = chosen.figure_title
    others = [name for name in FIGURES if name != chosen.figure]
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
        *(FIGURES[name] for name in others),
        "n",
        "Coverage",
        "Unparsed",
        "Price in US dollars",
    )
    rows = [_line(line, chosen, others) for line in lines]
    if people:
        whole, nothing = people[ALL], [None] * (len(others) + 4)
        rows.append([None, HUMAN, whole.f1, *(whole.interval or (None, None)), *nothing, whole.n, None, None, None])
    return Table("evaluators", "the table of evaluators", columns, rows)


def _line(line: Line, chosen: Chosen, others: Sequence[str]) -> list[Cell]:
    whole = line.whole
    return [
        line.ranks or None,
        line.name,
        whole[chosen.figure],
        *(whole.get(f"{chosen.figure}_interval") or (None, None)),
        *(whole.get(f"{chosen.figure}_bounds") or (None, None)),
        *(whole.get(f"{chosen.figure}_bounds_with_missing") or (None, None)),
        *(whole[name] for name in others),
        whole["n"],
        whole["coverage"],
        whole["unparsed"],
        line.cost_usd,
    ]


def _pairs(pairs: Sequence[Pair], chosen: Chosen) -> Table:
    columns = ("Higher", "Lower", "Units judged by both", "Difference", "Low", "High", "p", "p after Holm", "Sure")
    rows = [
        [
            pair.first,
            pair.second,
            pair.n,
            pair.difference,
            *(pair.interval or (None, None)),
            pair.p,
            pair.p_holm,
            "yes" if pair.sure else "no",
        ]
        for pair in pairs
    ]
    return Table("pairs", f"the differences in {chosen.figure_title}", columns, rows)


def _grid(lines: Sequence[Line], people: Mapping[str, People], chosen: Chosen) -> Table:
    names = chosen.shown_slices
    rows: list[list[Cell]] = []
    for line in lines:
        found = [measured(line.results.get(name), chosen.figure) for name in names]
        rows.append([line.name, *(each.value if each else None for each in found)])
    if people:
        rows.append([HUMAN, *(people[name].f1 for name in names)])
    return Table(
        "slices", f"{chosen.figure_title} by slice", ("Evaluator", *(domain_name(name) for name in names)), rows
    )
