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
    titles; caption: above it; bold: the places of the rows whose cell in the column
    `bold_column` is bold; ends: by the column of a figure, those of the ends of its interval where their names do not
    tell; titles: printed titles of columns that have to be chosen; optional: columns that are left out where they are
    empty."""

    columns: Mapping[str, str]
    caption: str
    bold: Collection[int] = field(default_factory=frozenset)
    bold_column: str = ""
    ends: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    optional: Collection[str] = ()


@dataclass(frozen=True)
class Table:
    """`name`: its name in the page's address. rows: as many cells as there are columns, unrounded. Columns named as
    another with "low" and "high" after it are the ends of its interval. printed: None for a table of every column.
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
SMALLEST = 10**-DECIMALS
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
    names = list(table.columns)
    found = [(place, *_ends_of(table, title)) for place, title in enumerate(names)]
    ends = {end for places in found for end in places[1:]}
    return [LatexColumn(names[places[0]], places) for places in found if places[0] not in ends]


def _ends_of(table: Table, title: str) -> list[int]:
    """The places of the columns of both ends of the figure's interval; none where it has no such."""
    names = list(table.columns)
    told = table.printed.ends.get(title) if table.printed else None
    for low, high in [told] if told else [(f"{title}{gap}low", f"{title}{gap}high") for gap in (" ", ", ", "_")]:
        if low in names and high in names:
            return [names.index(low), names.index(high)]
    return []


def printed_title(table: Table, column: str) -> str:
    """A column's title in print."""
    printed = table.printed
    return {**printed.titles, **printed.columns}.get(column, column) if printed else column


def _printed_columns(table: Table, chosen: Collection[str]) -> list[LatexColumn]:
    """In the order in which they are named; all where none is known."""
    columns = {column.title: column for column in figure_columns(table)}
    kept = [columns[title] for title in chosen or _usual(table) if title in columns] or columns.values()
    return [LatexColumn(printed_title(table, column.title), column.places) for column in kept]


def _usual(table: Table) -> list[str]:
    """The columns that are printed unless others are chosen."""
    if table.printed is None:
        return []
    names, optional = list(table.columns), table.printed.optional
    empty = {title for title in optional if all(row[names.index(title)] is None for row in table.rows)}
    return [title for title in table.printed.columns if title not in empty]


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
        return _latex(_with_minus(_readable(cells[0])) if isinstance(cells[0], int | float) else _readable(cells[0]))
    value, *ends = (
        _with_minus(f"{cell:.{PRINTED_DECIMALS}f}") if isinstance(cell, int | float) else "–" for cell in cells
    )
    return _latex(value) if "–" in ends else f"{_latex(value)} [{', '.join(map(_latex, ends))}]"


def _with_minus(number: str) -> str:
    """A hyphen before a number is no minus in print."""
    return number.replace("-", "−", 1) if number.startswith("-") else number


def _readable(cell: Cell) -> str:
    """A small p is not told as 0."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"<{SMALLEST}" if 0 < cell < SMALLEST / 2 else f"{cell:.{DECIMALS}f}"
    return str(cell)


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
    "→": r"$\rightarrow$",
    "ε": r"$\varepsilon$",
    "ω": r"$\omega$",
    "·": r"\textperiodcentered{}",
    "≤": r"$\leq$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
}
