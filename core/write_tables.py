"""A table as text to paste: CSV for spreadsheets, Markdown for notes, LaTeX for papers.

CSV keeps every digit and leaves the undefined empty; the other two are for reading: three decimals, and a dash.
"""

import re

from core.csv import csv_line
from core.tables import Cell, Table

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
