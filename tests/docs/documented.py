"""The JSON keys that docs/commands.md lists, to be compared with what commands print."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
COMMANDS, STATISTICS = DOCS / "commands.md", DOCS / "statistics.md"
ITEM, ANY = "[]", "<>"
TABLE = re.compile(r"^\| JSON key(?: with `(--[\w-]+)`)? \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| (`[^|]+?) \|(.*)$", re.MULTILINE)
KEY = re.compile(r"[a-z_]+")
COEFFICIENT = "<coefficient>"
FIRST_CELL = re.compile(r"^\| `(\w+)`", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")

# The keys to a value, ITEM for an item of a list: ("slices", "[]", "domain").
Keys = tuple[str, ...]


@dataclass(frozen=True)
class Documented:
    """A row of a table of keys. `<name>` stands for any key, `*` at the end for any keys.

    inner: keys that the rest of the row names, which the value may hold.
    """

    keys: Keys
    inner: frozenset[str]
    pattern: str

    def covers(self, keys: Keys) -> bool:
        head, rest = self.keys, frozenset[str]()
        if head[-1] != "*":
            rest = frozenset(keys[len(head) :]) - {ITEM, ANY}
        head = tuple(key for key in head if key != "*")
        return self._begins(head, keys) and rest <= self.inner

    def is_in_empty(self, keys: Keys) -> bool:
        """Whether the keys lead to an empty object that may hold this row's key."""
        return keys[-1] == ANY and self._begins(self.keys[: len(keys) - 1], keys)

    def missing_in(self, printed: Iterable[Keys]) -> Iterator[str]:
        """The pattern where no printed key begins with its keys, else each inner key that no printed one names.

        Inner keys are looked for only where the value holds keys at all.
        """
        head = tuple(key for key in self.keys if key != "*")
        alike = [keys for keys in printed if self._begins(head, keys)]
        if not alike:
            yield self.pattern
        if self.keys[-1] != "*" and any({*keys[len(head) :]} - {ITEM, ANY} for keys in alike):
            missing = self.inner - {key for keys in alike for key in keys}
            yield from (f"{self.pattern} {name}" for name in sorted(missing) if KEY.fullmatch(name))

    @staticmethod
    def _begins(head: Keys, keys: Keys) -> bool:
        alike = all(ours in (theirs, ANY) for ours, theirs in zip(head, keys, strict=False))
        return alike and len(keys) >= len(head)


def section(command: str) -> str:
    """The part of the page that is about a command."""
    page = COMMANDS.read_text(encoding="utf-8")
    found = re.search(rf"^## `{command}\b.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/commands.md has no section on {command}"
    return found[0]


def documented_keys(command: str, option: str = "") -> list[Documented]:
    """The rows of the command's table of keys, or of the keys that it prints with an option."""
    tables = [rows for named, rows in TABLE.findall(section(command)) if named == option]
    assert tables, f"docs/commands.md has no table of the keys of {command} {option}"
    return [
        Documented(_split(key), frozenset(QUOTED.findall(rest)), pattern)
        for cell, rest in ROW.findall("".join(tables))
        for pattern in QUOTED.findall(cell)
        for key in _named(pattern)
    ]


def documented_coefficients() -> list[str]:
    """The keys of the coefficients of agreement in docs/statistics.md."""
    coefficients = STATISTICS.read_text(encoding="utf-8").split("\n### Coefficients\n")[1].split("\n### ")[0]
    return FIRST_CELL.findall(coefficients)


def keys_of(value: Any, before: Keys = ()) -> Iterator[Keys]:
    """The keys to every value of the document that holds no other; an empty list or object stands for its items."""
    if isinstance(value, dict):
        for key, inside in (value or {ANY: None}).items():
            yield from keys_of(inside, (*before, key))
    elif isinstance(value, list):
        for item in value or [None]:
            yield from keys_of(item, (*before, ITEM))
    else:
        yield before


def undocumented(command: str, document: Any, option: str = "") -> set[Keys]:
    """The keys of the document that no row of the command's table covers."""
    rows = documented_keys(command, option)
    return {keys for keys in keys_of(document) if not any(row.covers(keys) or row.is_in_empty(keys) for row in rows)}


def unprinted(command: str, documents: Iterable[Any], option: str = "") -> set[str]:
    """The keys of the command's table that none of the documents has, inner ones after their row's key and a space."""
    printed = {keys for document in documents for keys in keys_of(document)}
    rows = documented_keys(command, option)
    present = {row.pattern for row in rows if row.pattern not in row.missing_in(printed)}
    return {missing for row in rows for missing in row.missing_in(printed)} - present


def _named(pattern: str) -> list[str]:
    """The pattern for each coefficient where it stands for all of them, else the pattern itself."""
    names = documented_coefficients() if COEFFICIENT in pattern else [COEFFICIENT]
    return [pattern.replace(COEFFICIENT, name) for name in names]


def _split(pattern: str) -> Keys:
    parts = pattern.replace(ITEM, f".{ITEM}").strip(".").split(".")
    return tuple(ANY if part.startswith("<") else part for part in parts)
