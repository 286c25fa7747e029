"""The rows of a file that cannot be taken, counted by kind: those of some kinds are skipped, others stop the import."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import MOST_FAULTS, OTHER, Faults, FaultsError, RowError
from core.row_fields import UNSTORABLE

# In place of the names of kinds: rows of every kind are skipped.
EVERY_KIND = "all"
# Kinds that have a name; further ones count as OTHER.
MOST_KINDS = 40
LONGEST_KIND = 100
# Numbers of rows that are named of a kind, beside their count.
MOST_NUMBERS = 50


@dataclass
class RefusedKind:
    """count: of rows; numbers: of the first ones; cause: of the first. label: as RowError has it."""

    cause: str
    label: str | None
    count: int = 0
    numbers: list[int] = field(default_factory=list)


class Refused:
    """`kinds` are those of which rows are skipped, by name; `rows`: the kind and cause of these rows, by number;
    `places`: the places in the file, from 0, of the responses that are left out for it."""

    def __init__(self, path: Path, place: str, skip: Collection[str] = ()) -> None:
        self.kinds: dict[str, RefusedKind] = {}
        self.rows: dict[int, tuple[str, str]] = {}
        self.places: set[int] = set()
        self.faults = Faults(path, place)
        self._skip = skip

    def add(self, number: int, error: RowError) -> None:
        """A fault of a row. Raises FaultsError where it is one that stops the import, and enough are known."""
        name = UNSTORABLE.sub("", error.kind)[:LONGEST_KIND]
        name = name if name in self.kinds or len(self.kinds) < MOST_KINDS else OTHER
        if EVERY_KIND not in self._skip and name not in self._skip:
            self.faults.add(number, error)
            return
        label = error.label if name == error.kind else None
        kind = self.kinds.setdefault(name, RefusedKind(str(error), label))
        for row in error.rows or (number,):
            if row not in self.rows:
                self.rows[row] = (name, str(error))
                kind.count += 1
                kind.numbers += [row] if len(kind.numbers) < MOST_NUMBERS else []

    def check(self, taken: int) -> None:
        """Raises FaultsError for faults that stop the import; and where every row would be skipped."""
        self.faults.check()
        if self.rows and not taken:
            found = tuple((number, cause) for number, (_, cause) in sorted(self.rows.items())[:MOST_FAULTS])
            raise FaultsError(self.faults.path.name, self.faults.place, found)

    def document(self) -> list[dict[str, Any]]:
        """As JSON, the most frequent kind first."""
        kinds = sorted(self.kinds.items(), key=lambda each: -each[1].count)
        return [
            {"kind": name, "count": kind.count, "rows": kind.numbers, "cause": kind.cause, "said": kind.label}
            for name, kind in kinds
        ]
