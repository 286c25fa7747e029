"""Tables 4 and 5 of FACTOR, and what was left out, as plain data to take away."""

from collections.abc import Iterator, Sequence

from core.tables import Cell, Table
from factor.models.open_ended import Word
from factor.open_ended.results import EXAMPLE, FAILED, UNLABELLED, Results
from stats.open_ended import OpenEndedFigure, OpenEndedRow

GROUPS = {"right": "Right", "wrong": "Wrong", "all": "All (weighted)"}
FATES = {
    EXAMPLE: "The example is left out of all figures",
    **dict(Word.choices),
    FAILED: "The model gave no text",
    UNLABELLED: "Not labelled yet",
}


def tables_of(results: Sequence[Results]) -> Iterator[Table]:
    """By the names with which the page links to them."""
    yield Table(
        "accuracy",
        "Factual accuracy",
        ("Model", "Subset", "Factual accuracy", "low", "high"),
        [[_name(each), GROUPS[row.name], *_with_ends(row.accuracy)] for each, row in _rows(results)],
    )
    figures = ("Neutral", "True", "False", "Factual accuracy")
    yield Table(
        "shares",
        "Shares and factual accuracy",
        ("Model", "Subset", "Texts", *(f"{name}{end}" for name in figures for end in ("", ", low", ", high"))),
        [
            [_name(each), GROUPS[row.name], row.n, *(cell for figure in _figures(row) for cell in _with_ends(figure))]
            for each, row in _rows(results)
        ],
    )
    yield Table(
        "left-out",
        "Texts that do not count",
        ("Model", "Why", "Texts", "Share of all drawn"),
        [
            [_name(each), FATES[fate], number, number / each.drawn]
            for each in results
            for fate, number in each.fates.items()
        ],
    )


def _rows(results: Sequence[Results]) -> Iterator[tuple[Results, OpenEndedRow]]:
    for each in results:
        for row in each.rows:
            yield each, row


def _name(results: Results) -> str:
    return str(results.study.scoring.model)


def _figures(row: OpenEndedRow) -> tuple[OpenEndedFigure, ...]:
    return row.neutral, row.true, row.false, row.accuracy


def _with_ends(figure: OpenEndedFigure) -> list[Cell]:
    ends: list[Cell] = [None, None] if figure.interval is None else [*figure.interval.ends()]
    return [figure.value, *ends]
