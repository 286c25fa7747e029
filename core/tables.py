"""A table of figures as plain data: for a page, and for the files that it offers."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.csv import csv_line

# None: undefined, or not known.
Cell = str | int | float | None


@dataclass(frozen=True)
class PrintedTable:
    """How a table stands in a paper. columns: its columns that are printed unless others are chosen, with their printed
    titles; caption: above it; bold: the places of the rows whose cell in the column `bold_column` is bold."""

    columns: Mapping[str, str]
    caption: str
    bold: Collection[int] = field(default_factory=frozenset)
    bold_column: str = ""


@dataclass(frozen=True)
class Table:
    """`name`: its name in the page's address. rows: as many cells as there are columns, unrounded. Columns that end in
    "low" and "high" are the ends of the interval of the column before them. printed: None for a table of every column.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    printed: PrintedTable | None = None

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
PRINTED_DECIMALS = 2  # of a figure with its interval


def as_csv(table: Table) -> str:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it."""
    return "".join(f"{csv_line(line)}\n" for line in (table.columns, *table.rows))


def as_markdown(table: Table) -> str:
    """A table of GitHub's Markdown."""
    rules = ["---:" if table.is_numeric(place) else "---" for place in range(len(table.columns))]
    lines = [table.columns, *table.rows]
    head, *body = [_markdown_row([_markdown(_readable(cell)) for cell in line]) for line in lines]
    return "\n".join([head, _markdown_row(rules), *body]) + "\n"


@dataclass(frozen=True)
class LatexColumn:
    """A printed column: its title, and the places of a figure and, where it has an interval, of both ends."""

    title: str
    places: tuple[int, ...]


def as_latex(table: Table, chosen: Collection[str] = ()) -> str:
    """A tabular of the package booktabs, for UTF-8 sources, in a float with its caption where the table has one.

    A figure and its interval are one cell. chosen: the columns that are printed; none for the usual ones.
    """
    columns = _printed_columns(table, chosen)
    align = "".join("r" if table.is_numeric(column.places[0]) else "l" for column in columns)
    head = " & ".join(_latex(column.title) for column in columns) + r" \\"
    body = [_latex_row(table, columns, place) for place in range(len(table.rows))]
    start = [] if table.printed else [f"% {_one_line(table.title)}"]
    lines = [*start, rf"\begin{{tabular}}{{{align}}}", r"\toprule", head, r"\midrule", *body]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if table.printed:
        caption = rf"\caption{{{_latex(table.printed.caption)}}}"
        label = rf"\label{{tab:{table.name}}}"
        lines = [
            "% needs the package booktabs",
            r"\begin{table}",
            r"\centering",
            caption,
            label,
            *lines,
            r"\end{table}",
        ]
    return "\n".join(lines) + "\n"


def figure_columns(table: Table) -> list[LatexColumn]:
    """The columns, those of a figure and of the ends of its interval as one."""
    columns, place = [], 0
    while place < len(table.columns):
        title = table.columns[place]
        ends = tuple(table.columns[place + 1 : place + 3])
        width = 3 if ends in ((f"{title} low", f"{title} high"), (f"{title}, low", f"{title}, high")) else 1
        columns.append(LatexColumn(title, tuple(range(place, place + width))))
        place += width
    return columns


def _printed_columns(table: Table, chosen: Collection[str]) -> list[LatexColumn]:
    """In the order in which they are named; all where none is known."""
    columns = {column.title: column for column in figure_columns(table)}
    titles: Mapping[str, str] = table.printed.columns if table.printed else {}
    kept = [columns[title] for title in chosen or titles if title in columns] or columns.values()
    return [LatexColumn(titles.get(column.title, column.title), column.places) for column in kept]


def _latex_row(table: Table, columns: Sequence[LatexColumn], place: int) -> str:
    printed = table.printed
    bold = list(table.columns).index(printed.bold_column) if printed and place in printed.bold else None
    cells = []
    for column in columns:
        text = _latex_figure([table.rows[place][each] for each in column.places])
        cells.append(rf"\textbf{{{text}}}" if column.places[0] == bold else text)
    return " & ".join(cells) + r" \\"


def _latex_figure(cells: Sequence[Cell]) -> str:
    """A figure with its interval, as 0.42 [0.40, 0.44]; another cell as it is."""
    if len(cells) == 1:
        return _latex(_readable(cells[0]))
    value, *ends = (f"{cell:.{PRINTED_DECIMALS}f}" if isinstance(cell, int | float) else "–" for cell in cells)
    return _latex(value) if "–" in ends else f"{_latex(value)} [{', '.join(map(_latex, ends))}]"


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
