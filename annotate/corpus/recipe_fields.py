"""The fields of a recipe: where a value stands in a row, and how it is read (docs/recipes.md, Fields).

A path names keys with dots between them: `metadata.field`. A list is entered by an item's number from 0. A backslash
makes a dot, a question mark or another sign a part of the key. In front may stand `^`, once for each level up: inside
`answers.*` the path `^question` is that of the row. `?` at the end lets the key be missing, or its value be null or
empty. `.` is the item itself, `@key` its key or number in what it is an item of, `@rows` the rows of one response.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from core.errors import RowError, describe, field_kind
from core.row_fields import UNSTORABLE, check_list, check_text, plain_value

ITSELF, KEY, ROWS = ".", "@key", "@rows"
SIGN = re.compile(r"\\(.)|([.])", re.DOTALL)
ALL = ".*"
LINK = re.compile(r"https?://[^\s<>\"]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """An item of a row, the row itself among them, and the items around it. place: its name in messages. notes: what
    had to be changed in the row, for its warnings."""

    item: Any
    parent: "Scope | None" = None
    key: str = ""
    place: str = ""
    rows: Sequence[dict[str, Any]] = ()
    notes: list[str] = field(default_factory=list)

    def within(self, item: Any, key: str, name: str) -> "Scope":
        """The scope of an item in this one."""
        own = f"{name} {UNSTORABLE.sub('', key)}"
        place = f"{own} of {self.place}" if self.place else own
        return Scope(item, self, key, place, self.rows, self.notes)

    def above(self, levels: int) -> "Scope":
        scope = self
        for _ in range(levels):
            if scope.parent is None:
                raise RowError(f"{self.place or 'the row'} has fewer than {levels} levels above it")
            scope = scope.parent
        return scope


@dataclass(frozen=True, slots=True)
class Path:
    """`text` is the path as it is written; keys: what it enters one after another, none for the item itself."""

    text: str
    keys: tuple[str, ...]
    up: int = 0
    optional: bool = False

    def read(self, scope: Scope) -> Any:
        """The value; None where it is missing and may be. RowError names the path."""
        scope = scope.above(self.up)
        if self.keys in ((KEY,), (ROWS,)):
            return scope.key if self.keys == (KEY,) else list(scope.rows)
        value = scope.item
        for key in self.keys:
            found, value = _enter(value, key)
            if not found:
                if self.optional:
                    return None
                raise RowError(f"{named(scope.place, self.text)} is missing", field_kind("missing", self.text))
        return None if self.optional and value in ("", []) else value


def parse_path(text: str) -> Path:
    """RowError: there is no key between two dots."""
    rest = text.lstrip("^")
    up = len(text) - len(rest)
    optional = rest.endswith("?") and not rest.endswith("\\?")
    rest = rest[:-1] if optional else rest
    if rest == ITSELF:
        return Path(text, (), up, optional)
    keys = [""]
    at = 0
    for sign in SIGN.finditer(rest):
        keys[-1] += rest[at : sign.start()] + (sign[1] or "")
        if sign[2]:
            keys.append("")
        at = sign.end()
    keys[-1] += rest[at:]
    if not all(keys):
        raise RowError(f"{describe(text)} is no path: a key is missing in it")
    return Path(text, tuple(keys), up, optional)


def escape_key(key: str) -> str:
    """The key as a path writes it."""
    plain = re.sub(r"([\\.])", r"\\\1", key)
    return f"{plain[:-1]}\\?" if plain.endswith("?") else f"\\{plain}" if plain[:1] in ("^", "@") else plain


@dataclass(frozen=True, slots=True)
class Constant:
    """The same text for every row."""

    value: str

    def read(self, scope: Scope) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Joined:
    """Texts with another between them; those that are missing are left out."""

    parts: tuple["Path | Constant", ...]
    between: str

    def read(self, scope: Scope) -> str:
        texts = [as_text(part.read(scope), named(scope.place, name_of(part))) for part in self.parts]
        return self.between.join(filter(None, texts))


@dataclass(frozen=True, slots=True)
class LinkIn:
    """The first address of the web in a text, "" where there is none."""

    path: Path

    def read(self, scope: Scope) -> str:
        found = LINK.search(as_text(self.path.read(scope), named(scope.place, self.path.text)))
        return found.group().rstrip(".,;)]") if found else ""


@dataclass(frozen=True, slots=True)
class First:
    """The first of several fields that has a value, None where none has."""

    fields: tuple["Path | Constant | AsText", ...]

    def read(self, scope: Scope) -> Any:
        return next((value for field in self.fields if (value := field.read(scope)) not in (None, "", [])), None)


@dataclass(frozen=True, slots=True)
class AsText:
    """A value as text: what is none as JSON."""

    path: Path

    def read(self, scope: Scope) -> str:
        value = self.path.read(scope)
        return "" if value is None else spell(value)


Field = Path | Constant | Joined | LinkIn | First | AsText


def key_of(path: Path) -> str:
    """What is kept under a path gets its last key."""
    return path.keys[-1] if path.keys else path.text


def name_of(field: "Field | Several") -> str:
    """The field in a message."""
    match field:
        case ValuesAt(paths=paths):
            return " and ".join(name_of(path) for path in paths)
        case ValuesOf(text=text):
            return text
        case Path(text=text, optional=optional):
            return text.removesuffix("?") if optional else text
        case LinkIn(path=path) | AsText(path=path):
            return name_of(path)
        case First(fields=fields):
            return " or ".join(name_of(field) for field in fields)
        case Constant(value=value):
            return value
        case Joined(parts=parts):
            return " with ".join(name_of(part) for part in parts)


def named(place: str, name: str) -> str:
    """A path in a message: which of the row's items it is in."""
    if name == ITSELF:
        return place or "the row"
    return f"{name} of {place}" if place else name


def as_text(value: Any, name: str) -> str:
    """A text or a whole number as text, "" for None."""
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return check_text(value, name)


def read_text(field: Field | None, scope: Scope, longest: int | None = None) -> str:
    """The text of a field; "" where the recipe has none. RowError: it is longer than fits."""
    if field is None:
        return ""
    name = named(scope.place, name_of(field))
    return check_text(as_text(field.read(scope), name), name, longest)


def storable(value: Any, scope: Scope, name: str) -> Any:
    """The value without the characters that no database stores; that some were left out is noted."""
    if isinstance(value, str):
        found = UNSTORABLE.sub("", value)
        if len(found) < len(value):
            scope.notes.append(f"{named(scope.place, name)} holds characters that cannot be stored: they are left out")
        return found
    if isinstance(value, list):
        return [storable(item, scope, name) for item in value]
    if isinstance(value, dict):
        return {UNSTORABLE.sub("", key): storable(item, scope, name) for key, item in value.items()}
    return value


def read_filled(field: Field, scope: Scope) -> str:
    """The text of a field, which must not be blank."""
    text = read_text(field, scope)
    if not text.strip():
        raise RowError(f"{named(scope.place, name_of(field))} is empty", field_kind("empty", name_of(field)))
    return text


def spell(value: Any) -> str:
    """A value as the keys of a recipe's `values` write it: a text as it is, all else as JSON (true, null, 1)."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Each:
    """The items of a list, or the values of an object. name: the word for one of them in messages."""

    path: Path
    name: str

    def scopes(self, scope: Scope) -> Iterator[Scope]:
        value = self.path.read(scope)
        if isinstance(value, dict):
            items = [(str(key), item) for key, item in value.items()]
        elif value is None and self.path.optional:
            items = []
        else:
            name = named(scope.place, self.path.text)
            items = [(str(place), item) for place, item in enumerate(check_list(value, name), 1)]
        for key, item in items:
            yield scope.within(item, key, self.name)


@dataclass(frozen=True, slots=True)
class Zipped:
    """Lists of one length: each item is an object with what stands at the same place of each, under the given names.

    A list that may be missing and is, or is empty, gives nulls.
    """

    lists: tuple[tuple[str, Path], ...]
    name: str

    def scopes(self, scope: Scope) -> Iterator[Scope]:
        found: dict[str, list[Any]] = {}
        for name, path in self.lists:
            value = path.read(scope)
            if value is not None or not path.optional:
                found[name] = check_list(value, named(scope.place, path.text))
        lengths = {name: len(items) for name, items in found.items()}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{dict(self.lists)[name].text} has {length}" for name, length in lengths.items())
            raise RowError(f"the lists of {named(scope.place, self.name)} differ in length: {counts}")
        empty = {name: None for name, _ in self.lists}
        for place in range(max(lengths.values(), default=0)):
            item = {**empty, **{name: items[place] for name, items in found.items()}}
            yield scope.within(item, str(place + 1), self.name)


@dataclass(frozen=True, slots=True)
class Nested:
    """Lists within lists: `pages.*.passages.*`."""

    levels: tuple[Each, ...]

    @property
    def name(self) -> str:
        return self.levels[-1].name

    def scopes(self, scope: Scope) -> Iterator[Scope]:
        scopes = iter((scope,))
        for level in self.levels:
            scopes = chain.from_iterable(map(level.scopes, scopes))
        return scopes


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether the value at `at` is one of `values`, or with `negated` none of them."""

    at: Field
    values: frozenset[str]
    negated: bool

    def holds(self, scope: Scope) -> bool:
        spelling = spell(self.at.read(scope))
        return (spelling in self.values or plain_value(spelling) in self.values) != self.negated


@dataclass(frozen=True, slots=True)
class Filtered:
    """Those items for which the conditions hold."""

    items: "Each | Zipped | Nested"
    where: tuple[Condition, ...]

    @property
    def name(self) -> str:
        return self.items.name

    def scopes(self, scope: Scope) -> Iterator[Scope]:
        return (item for item in self.items.scopes(scope) if all(condition.holds(item) for condition in self.where))


Items = Each | Zipped | Nested | Filtered


@dataclass(frozen=True, slots=True)
class ValuesAt:
    """The values of several paths as a list, such as the labels of annotators who have a column each."""

    paths: tuple[Path, ...]

    def read(self, scope: Scope) -> list[Any]:
        return [path.read(scope) for path in self.paths]


@dataclass(frozen=True, slots=True)
class ValuesOf:
    """A value of every item as a list: `annotations.*.label`, which is `text`."""

    text: str
    each: Items
    path: Path

    def read(self, scope: Scope) -> list[Any]:
        return [self.path.read(item) for item in self.each.scopes(scope)]


Several = ValuesAt | ValuesOf


def _enter(value: Any, key: str) -> tuple[bool, Any]:
    """Whether there is something under the key, and what."""
    if isinstance(value, dict):
        return (True, value[key]) if key in value else (False, None)
    if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
        return True, value[int(key)]
    return False, None
