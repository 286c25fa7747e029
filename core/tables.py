"""A table of figures as plain data: for a page, and for the files that it offers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.csv import csv_line

# None: undefined, or not known.
Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """`name`: its name in the page's address. rows: as many cells as there are columns, unrounded."""

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"A row of the table {self.name!r} has not one cell for each column.")

    def is_numeric(self, column: int) -> bool:
        """Whether the column holds nothing but numbers, and at least one."""
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and not any(isinstance(cell, str) for cell in cells)


def with_ends(value: float | None, interval: Iterable[float] | None) -> tuple[Cell, Cell, Cell]:
    """The cells of a figure and of both ends of its interval, None where there is none."""
    low, high = interval if interval is not None else (None, None)
    return value, low, high


DECIMALS = 3


def as_csv(table: Table) -> str:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it."""
    return "".join(f"{csv_line(line)}\n" for line in (table.columns, *table.rows))


def as_markdown(table: Table) -> str:
    """A table of GitHub's Markdown."""
    rules = ["---:" if table.is_numeric(place) else "---" for place in range(len(table.columns))]
    lines = [table.columns, *table.rows]
    head, *body = [_markdown_row([_markdown(_readable(cell)) for cell in line]) for line in lines]
    return "\n".join([head, _markdown_row(rules), *body]) + "\n"


def as_latex(table: Table) -> str:
    """A tabular of the package booktabs, for UTF-8 sources; its title stands above it as a comment."""
    align = "".join("r" if table.is_numeric(place) else "l" for place in range(len(table.columns)))
    lines = [table.columns, *table.rows]
    head, *body = [" & ".join(_latex(_readable(cell)) for cell in line) + r" \\" for line in lines]
    start = [f"% {_one_line(table.title)}", rf"\begin{{tabular}}{{{align}}}", r"\toprule", head, r"\midrule"]
    return "\n".join([*start, *body, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _readable(cell: Cell) -> str:
    if cell is None:
        return "–"
    return f"{cell:.{DECIMALS}f}" if isinstance(cell, float) else str(cell)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _markdown_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(text: str) -> str:
    """The text with everything escaped that would be markup, a line's end and HTML included."""
    return re.sub(r"([\\`*_\[\]<>|&~$#!])", r"\\\1", _one_line(text))


def _latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in _one_line(text))


LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # A row that begins with a bracket would be taken for the length that may follow a line's end.
    "[": "{[}",
    "]": "{]}",
    "–": "--",
    "−": "$-$",
    "·": r"\textperiodcentered{}",
}
