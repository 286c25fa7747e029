"""The JSON keys that docs/commands.md lists, to be compared with what commands print."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMANDS = Path(__file__).resolve().parent.parent.parent / "docs" / "commands.md"
ITEM = "[]"
ROW = re.compile(r"^\| (`[^|]+?) \|(.*)$", re.MULTILINE)
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

    def covers(self, keys: Keys) -> bool:
        head, rest = self.keys, frozenset[str]()
        if head[-1] != "*":
            rest = frozenset(keys[len(head) :]) - {ITEM}
        head = tuple(key for key in head if key != "*")
        alike = all(ours in (theirs, "<>") for ours, theirs in zip(head, keys, strict=False))
        return alike and len(keys) >= len(head) and rest <= self.inner


def section(command: str) -> str:
    """The part of the page that is about a command."""
    page = COMMANDS.read_text(encoding="utf-8")
    found = re.search(rf"^## `{command}\b.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/commands.md has no section on {command}"
    return found[0]


def documented_keys(command: str) -> list[Documented]:
    rows = ROW.findall(section(command))
    return [
        Documented(_split(pattern), frozenset(QUOTED.findall(rest)))
        for cell, rest in rows
        for pattern in QUOTED.findall(cell)
        if not pattern.startswith("--")
    ]


def keys_of(value: Any, before: Keys = ()) -> Iterator[Keys]:
    """The keys to every value of the document that holds no other; an empty list stands for its items."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from keys_of(inside, (*before, key))
    elif isinstance(value, list):
        for item in value or [None]:
            yield from keys_of(item, (*before, ITEM))
    else:
        yield before


def undocumented(command: str, document: Any) -> set[Keys]:
    """The keys of the document that no row of the command's section covers."""
    rows = documented_keys(command)
    return {keys for keys in keys_of(document) if not any(row.covers(keys) for row in rows)}


def _split(pattern: str) -> Keys:
    parts = pattern.replace(ITEM, f".{ITEM}").strip(".").split(".")
    return tuple("<>" if part.startswith("<") else part for part in parts)
