"""Errors in data that people send in or ask for, and values in the messages of these errors."""

from pathlib import Path


class DataError(Exception):
    """Data cannot be read or given out; the message is one sentence that names the place and the cause."""


class RowError(Exception):
    """A fault of one row; the reader of the file adds file and line and raises a DataError."""


def at_line(path: Path, line: int, cause: object) -> DataError:
    """The error of a cause (a RowError, or text) at a line of a file, counted from 1."""
    return DataError(f"{path.name}, line {line}: {cause}")


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
