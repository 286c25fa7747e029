"""The style of a CSV file: its properties besides its cells."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

MARK = "\ufeff"
QUOTINGS = {"where needed": csv.QUOTE_MINIMAL, "everywhere": csv.QUOTE_ALL}


@dataclass(frozen=True)
class Style:
    """`line_end` after each row, the last one too if it is `ended`; quotes where needed or everywhere; `marked` by a
    byte order mark. As it is by itself the authors' files are written."""

    line_end: str = "\n"
    quotes: str = "where needed"
    marked: bool = False
    ended: bool = True

    def lines(self, rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """The text of a file with these rows, piece by piece."""
        between = MARK if self.marked else ""
        for row in rows:
            yield between + self._line(row)
            between = self.line_end
        if self.ended:
            yield self.line_end

    def _line(self, row: Sequence[str]) -> str:
        # Ended so, a cell with either of the two characters is quoted, whatever ends the file's own lines.
        buffer = io.StringIO(newline="")
        csv.writer(buffer, lineterminator="\r\n", quoting=QUOTINGS[self.quotes]).writerow(row)  # type: ignore[arg-type]
        return buffer.getvalue().removesuffix("\r\n")


def style_of(text: str, rows: Sequence[Sequence[str]]) -> Style | None:
    """The style in which the rows make exactly the text; None where none does."""
    marked, ended = text.startswith(MARK), text.endswith("\n")
    for line_end, quotes in product(("\n", "\r\n"), QUOTINGS):
        style = Style(line_end, quotes, marked, ended)
        if _makes(style, rows, text):
            return style
    return None


def _makes(style: Style, rows: Sequence[Sequence[str]], text: str) -> bool:
    place = 0
    for piece in style.lines(rows):
        if not text.startswith(piece, place):
            return False
        place += len(piece)
    return place == len(text)
