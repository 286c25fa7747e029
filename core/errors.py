"""Errors in data that people send in or ask for, and values in the messages of these errors."""

from collections.abc import Sequence
from pathlib import Path


class DataError(Exception):
    """Data cannot be read or given out; the message is one sentence that names the place and the cause."""


# The kind of a fault that has no name of its own.
OTHER = "other"


class RowError(Exception):
    """A fault of one row; the reader of the file adds file and line and raises a DataError.

    kind: a few words for all faults alike, such as "empty response". label: the spelling of a label whose meaning
    nobody has said. rows: the numbers of the rows that cannot be taken for it; empty: the one it is found in.
    """

    def __init__(self, message: str, kind: str = OTHER, label: str | None = None) -> None:
        super().__init__(message)
        self.kind, self.label = kind, label
        self.rows: Sequence[int] = ()


def field_kind(fault: str, name: str) -> str:
    """The kind of a fault of a field, whichever item of the row it is found in: "empty text"."""
    return f"{fault} {name.partition(' of ')[0].partition(', item ')[0]}"


MOST_FAULTS = 20


class Faults:
    """The faults of a file's rows, up to MOST_FAULTS, by their numbers. place: "line" or "row"."""

    def __init__(self, path: Path, place: str = "line") -> None:
        self.path = path
        self.place = place
        self._found: list[tuple[int, str]] = []

    def add(self, number: int, cause: object) -> None:
        """Raises FaultsError where that is the last one that is listed."""
        self._found.append((number, str(cause)))
        if len(self._found) >= MOST_FAULTS:
            self.check()

    def check(self) -> None:
        """Raises FaultsError where there is any fault."""
        if self._found:
            raise FaultsError(self.path.name, self.place, tuple(sorted(self._found)))

    def check_with(self, last: DataError) -> None:
        """Raises FaultsError of those before the last one, which ends the reading of the file."""
        if self._found:
            raise FaultsError(self.path.name, self.place, tuple(self._found), str(last)) from None


class FaultsError(DataError):
    """Rows of a file are at fault. `found`: (number, cause) of each, not all where these are MOST_FAULTS. `last`: the
    sentence where the file could not be read to its end.

    The message is one line: each cause once, with the numbers of its rows.
    """

    def __init__(self, name: str, place: str, found: tuple[tuple[int, str], ...], last: str = "") -> None:
        self.name, self.place, self.found, self.last = name, place, found, last
        causes: dict[str, list[int]] = {}
        for number, cause in found:
            causes.setdefault(cause, []).append(number)
        clauses = [self._clause(numbers, cause) for cause, numbers in causes.items()]
        super().__init__(f"{name}, {'; '.join([*clauses, *filter(None, [last])])}")

    @property
    def is_several(self) -> bool:
        return len(self.found) + bool(self.last) > 1

    @property
    def is_cut(self) -> bool:
        """Whether there may be further faults."""
        return len(self.found) >= MOST_FAULTS

    def _clause(self, numbers: list[int], cause: str) -> str:
        others = f" (also {self.place} {_listed(numbers[1:])})" if len(numbers) > 1 else ""
        return f"{self.place} {numbers[0]}: {cause}{others}"


def _listed(numbers: list[int]) -> str:
    """Numbers in ascending order, those that follow one another as a stretch."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and number == stretches[-1][-1] + 1:
            stretches[-1].append(number)
        else:
            stretches.append([number])
    return ", ".join(str(each[0]) if len(each) == 1 else f"{each[0]} to {each[-1]}" for each in stretches)


def at_line(path: Path, line: int, cause: object, place: str = "line") -> DataError:
    """The error of a cause (a RowError, or text) at a line of a file, counted from 1; or at a row, as `place` says."""
    return DataError(f"{path.name}, {place} {line}: {cause}")


def not_saved(error: Exception) -> str:
    """A page's message for a save that breaks a rule; those for lost connections are in static/js/failures.js."""
    return f"Not saved: {str(error).removesuffix('.')}."


def describe(value: object) -> str:
    """A value in an error message: short, printable whatever it holds."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return ascii(value) if len(value) <= 40 else f"{value[:40]!a}…"
        case int() | float():
            return "NaN" if value != value else "a number"
        case list():
            return "a list"
        case _:
            return "an object"
