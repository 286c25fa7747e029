"""The JSON keys that docs/commands.md lists, to be compared with what commands print."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
COMMANDS, STATISTICS = DOCS / "commands.md", DOCS / "statistics.md"
ITEM, ANY = "[]", "<>"
# An option that the keys are printed with, and the keys of the object that holds them.
SCOPE = r"(?: with `(--[\w-]+)`)?(?: in `([^`]+)`)?"
KEYS = re.compile(rf"^Keys{SCOPE}(?: \(.*\))?:\n\n((?:- .*\n(?:  .*\n)*)+)", re.MULTILINE)
SHARED_KEYS = re.compile(rf"^Shared keys{SCOPE}: (.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
SHARED_OPTIONS = re.compile(r"^Shared options: (.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
# An item of a list of keys, its lines joined: the keys, and what is said of them.
ITEM_OF_LIST = re.compile(r"- (`[^`]+`(?:, `[^`]+`)*)(|: .*)")
# Options, and their default in brackets.
OPTIONS = re.compile(r"^- (`--[^`]+`(?:,\s+`--[^`]+`)*)(?:\s\(([^)]*)\))?:\s", re.MULTILINE)
OPTION = re.compile(r"`(--[\w-]+)")
KEY = re.compile(r"[a-z_]+")
COEFFICIENT = "<coefficient>"
FIRST_CELL = re.compile(r"^\| `(\w+)`", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")

# The keys to a value, ITEM for an item of a list: ("slices", "[]", "domain").
Keys = tuple[str, ...]


@dataclass(frozen=True)
class Documented:
    """An item of a list of keys. `<name>` stands for any key, `*` at the end for any keys.

    inner: keys that the rest of the item names, which the value may hold.
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
        """Whether the keys lead to an empty object that may hold this item's key."""
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
    """The keys of the command, or those that it prints with an option: items of its lists, and shared keys."""
    own = [(place, rows) for named, place, rows in KEYS.findall(section(command)) if named == option]
    shared = [(place, line) for named, place, line in SHARED_KEYS.findall(section(command)) if named == option]
    assert own or shared, f'docs/commands.md has no "Keys:" of {command} {option}'
    return [
        Documented(_split(key), inner, pattern)
        for pattern, inner in [*_items(own), *((pattern, frozenset[str]()) for pattern in _placed(shared))]
        for key in _named(pattern)
    ]


def shared_keys(command: str) -> list[str]:
    """The patterns that the command's section names as shared keys."""
    return _placed((place, line) for _, place, line in SHARED_KEYS.findall(section(command)))


def shared_key_patterns() -> list[str]:
    """The ends of patterns that the list of shared keys explains."""
    return [pattern for pattern, _ in _items([("", part("Shared keys").split("\n\n", 1)[1])])]


def ends_as(pattern: str, end: str) -> bool:
    """Whether a pattern ends with a shared key, where a placeholder stands for any word."""
    ending = "".join(r"[\w<>]+" if piece.startswith("<") else re.escape(piece) for piece in re.split("(<[^>]+>)", end))
    return re.search(rf"(?:^|\.){ending}$", pattern) is not None


def documented_options(command: str) -> dict[str, str]:
    """The options of the command's own list and its shared ones, with their defaults.

    A command with JSON keys has `--json`.
    """
    own, shared = options_of(section(command)), options_of(part("Shared options"))
    named = [option for line in SHARED_OPTIONS.findall(section(command)) for option in OPTION.findall(line)]
    if KEYS.search(section(command)) or SHARED_KEYS.search(section(command)):
        named.append("--json")
    assert not own.keys() & set(named), f"{command} explains a shared option again"
    return own | {option: shared[option] for option in named}


def options_of(text: str) -> dict[str, str]:
    """The options of lists, with their defaults, or empty."""
    return {option: default for options, default in OPTIONS.findall(text) for option in OPTION.findall(options)}


def part(title: str) -> str:
    """The part of the page under a heading."""
    return COMMANDS.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


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
    """The keys of the document that no key of the command covers."""
    rows = documented_keys(command, option)
    return {keys for keys in keys_of(document) if not any(row.covers(keys) or row.is_in_empty(keys) for row in rows)}


def unprinted(command: str, documents: Iterable[Any], option: str = "") -> set[str]:
    """The keys of the command that none of the documents has, inner ones after the key of their item and a space."""
    printed = {keys for document in documents for keys in keys_of(document)}
    rows = documented_keys(command, option)
    present = {row.pattern for row in rows if row.pattern not in row.missing_in(printed)}
    return {missing for row in rows for missing in row.missing_in(printed)} - present


def _items(lists: Iterable[tuple[str, str]]) -> Iterator[tuple[str, frozenset[str]]]:
    """The patterns of lists, each with the keys that the rest of its item names."""
    for place, text in lists:
        for item in re.split(r"\n(?=- )", text.strip()):
            found = ITEM_OF_LIST.fullmatch(re.sub(r"\n +", " ", item))
            assert found is not None, f"docs/commands.md: {item} does not begin with keys"
            for pattern in _placed([(place, found[1])]):
                yield pattern, frozenset(QUOTED.findall(found[2]))


def _placed(texts: Iterable[tuple[str, str]]) -> list[str]:
    """The patterns that texts quote, after the keys of the object that holds them."""
    return [f"{place}.{pattern}" if place else pattern for place, text in texts for pattern in QUOTED.findall(text)]


def _named(pattern: str) -> list[str]:
    """The pattern for each coefficient where it stands for all of them, else the pattern itself."""
    names = documented_coefficients() if COEFFICIENT in pattern else [COEFFICIENT]
    return [pattern.replace(COEFFICIENT, name) for name in names]


def _split(pattern: str) -> Keys:
    parts = pattern.replace(ITEM, f".{ITEM}").strip(".").split(".")
    return tuple(ANY if part.startswith("<") else part for part in parts)
