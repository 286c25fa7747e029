"""The tables of the comparison page, to take away."""

from collections.abc import Sequence

from annotate.templatetags.amounts import domain_name
from evaluators.comparison.chosen import FIGURES, Chosen
from evaluators.comparison.compare import Line, measured
from evaluators.tables.table import Cell, Table


def tables_of(lines: Sequence[Line], chosen: Chosen) -> list[Table]:
    return [_evaluators(lines, chosen), _grid(lines, chosen)]


def _evaluators(lines: Sequence[Line], chosen: Chosen) -> Table:
    figure = chosen.figure_title
    others = [name for name in FIGURES if name != chosen.figure]
    columns = (
        "Evaluator",
        figure,
        f"{figure} low",
        f"{figure} high",
        f"{figure} worst",
        f"{figure} best",
        *(FIGURES[name] for name in others),
        "n",
        "Coverage",
        "Unparsed",
        "Price in US dollars",
    )
    return Table("evaluators", "the table of evaluators", columns, [_line(line, chosen, others) for line in lines])


def _line(line: Line, chosen: Chosen, others: Sequence[str]) -> list[Cell]:
    shown = measured(line.whole, chosen.figure)
    return [
        line.name,
        shown.value,
        *(shown.interval or (None, None)),
        *(shown.bounds or (None, None)),
        *(line.whole[name] for name in others),
        shown.n,
        shown.coverage,
        line.whole["unparsed"],
        line.cost_usd,
    ]


def _grid(lines: Sequence[Line], chosen: Chosen) -> Table:
    columns = ("Evaluator", *(domain_name(name) for name in chosen.shown_slices))
    rows = [
        [line.name, *(measured(line.by_slice[name], chosen.figure).value for name in chosen.shown_slices)]
        for line in lines
    ]
    return Table("slices", f"{chosen.figure_title} by slice", columns, rows)
