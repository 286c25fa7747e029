"""A table of figures as plain data: what a page shows, and what is taken away from it."""

from collections.abc import Sequence
from dataclasses import dataclass

# None: undefined, or not known.
Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """`name`: what the page's address calls it. rows: as many cells as there are columns, unrounded."""

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
