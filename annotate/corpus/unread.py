"""What a recipe does not read of a row: the keys, for people, and the values, which are kept as details."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import isfinite
from typing import Any

from annotate.corpus.recipe import LabelRule, Recipe, ResponseRule, UnitRule
from annotate.corpus.recipe_fields import (
    ALL,
    ROWS,
    AsText,
    Constant,
    Each,
    Field,
    Filtered,
    First,
    Items,
    Joined,
    LinkIn,
    Nested,
    Path,
    Several,
    ValuesAt,
    ValuesOf,
    escape_key,
)
from core.errors import RowError, describe
from core.row_fields import UNSTORABLE, Fields
from core.rows.files import Row

# The rows in which keys are looked for that the recipe does not read.
LOOKED_AT = 200
# Characters of JSON that are kept of a response: less than a cell of Excel takes.
LONGEST_DETAILS = 20_000
# The keys of a path, each as it is written there: a dot within one has a backslash before it.
KEYS = re.compile(r"(?:\\.|[^.\\])+", re.DOTALL)
# By key what is read below it; None: all of it. The key `*` stands for every item.
ReadKeys = dict[str, Any]


def unread_keys(recipe: Recipe, rows: Iterable[Row]) -> list[str]:
    """Paths in the first rows that the recipe does not read, in their order; `*` stands for every item."""
    read = read_keys(recipe)
    found: dict[str, None] = {}
    for _, row in islice(rows, LOOKED_AT):
        if not isinstance(row, RowError):
            _walk(row, [], read, found)
    return list(found)


def read_keys(recipe: Recipe) -> ReadKeys | None:
    """What the recipe reads of a row."""
    tree: ReadKeys = {}
    # The shorter ones first: what is read as a whole is not looked into.
    for keys in sorted((KEYS.findall(path) for path in _read_paths(recipe)), key=len):
        if not keys:
            return None
        level: ReadKeys | None = tree
        for key in keys[:-1]:
            level = None if level is None else level.setdefault(key, {})
        if level is not None:
            level[keys[-1]] = None
    return tree


def _walk(value: Any, at: list[str], read: ReadKeys | None, found: dict[str, None]) -> None:
    if read is None:
        return
    for _, name, item in _items(value, read):
        if name in read:
            _walk(item, [*at, name], read[name], found)
        else:
            found[".".join([*at, name])] = None


def _items(value: Any, read: ReadKeys) -> Iterator[tuple[str, str, Any]]:
    """Each with its key, and with that as paths write it."""
    if isinstance(value, list):
        yield from (("", "*", item) for item in value)
    elif isinstance(value, dict):
        yield from ((key, "*" if "*" in read else _plain(key), item) for key, item in value.items())


def details_of(rows: Sequence[Fields], read: ReadKeys | None) -> tuple[dict[str, Any], list[str]]:
    """What is not read of the rows of a response, by key, and a warning for each key that is too long to be kept. Where
    several rows differ in a key, it holds a list with the value of each."""
    rests = [_unread(row, read) or {} for row in rows]
    details: dict[str, Any] = {}
    warnings = []
    room = LONGEST_DETAILS
    for key in dict.fromkeys(key for rest in rests for key in rest):
        first, *others = (rest.get(key) for rest in rests)
        value = [first, *others] if any(other != first for other in others) else first
        length = len(json.dumps({key: value}, ensure_ascii=False))
        if length > room:
            warnings.append(
                f"{describe(key)} is not kept: the details of a response hold {LONGEST_DETAILS:,} characters"
            )
        else:
            details[key] = value
            room -= length
    return details, warnings


def _unread(value: Any, read: ReadKeys | None) -> Any:
    """The part of the value that is not read; None for nothing."""
    if read is None:
        return None
    if isinstance(value, list):
        rests = [_unread(item, read["*"]) for item in value] if "*" in read else _plain_value(value)
        return rests if any(rest is not None for rest in rests) else None
    if not isinstance(value, dict):
        return None
    found = {
        UNSTORABLE.sub("", key): _unread(item, read[name]) if name in read else _plain_value(item)
        for key, name, item in _items(value, read)
    }
    return {key: rest for key, rest in found.items() if rest not in (None, "", [], {})} or None


def _plain_value(value: Any) -> Any:
    """As every database stores it: without its unstorable characters, and null for what is no number."""
    if isinstance(value, str):
        return UNSTORABLE.sub("", value)
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, list):
        return [_plain_value(item) for item in value]
    if isinstance(value, dict):
        return {UNSTORABLE.sub("", key): _plain_value(item) for key, item in value.items()}
    return value


def _plain(key: str) -> str:
    """A key as a path writes it, without what no database stores."""
    return UNSTORABLE.sub("", escape_key(key))


def _read_paths(recipe: Recipe) -> set[str]:
    paths: set[str] = set()
    if recipe.together is not None:
        paths.add(_join("", recipe.together))
    paths |= _fields([condition.at for condition in recipe.where], [""])
    paths |= {_plain(key) for joined in recipe.joined for key in (joined.by, joined.there)}
    for rule in recipe.responses:
        paths |= _of_response(rule)
    return paths


def _of_response(rule: ResponseRule) -> set[str]:
    bases, paths = _through([""], rule.each)
    fields = [rule.prompt, rule.text, rule.index, rule.model, rule.domain, rule.source, rule.topic, *rule.keep]
    paths |= _fields([*fields, *_of_label(rule.label)], bases)
    paths |= _of_sources(rule, bases)
    for units in (rule.claims, rule.segments):
        paths |= _of_units(units, bases) if units else set()
    if rule.sentences:
        inner, more = _through(bases, rule.sentences.each)
        paths |= more | _fields([rule.sentences.text, *rule.sentences.keep], inner)
        paths |= _of_units(rule.sentences.claims, inner)
    if rule.spans:
        spans = rule.spans
        inner, more = _through(bases, spans.each)
        paths |= more | _fields([*(spans.at or ()), spans.text, *_of_label(spans.label), *spans.keep], inner)
    return paths


def _of_label(rule: LabelRule | None) -> list[Field | Several]:
    return [rule.at, *(field_ for field_, _ in rule.unless)] if rule else []


def _of_units(rule: UnitRule, bases: list[str]) -> set[str]:
    inner, paths = _through(bases, rule.each)
    paths |= _fields([rule.text, rule.reason, *_of_label(rule.label), *rule.keep], inner)
    return paths | _of_sources(rule, inner)


def _of_sources(rule: ResponseRule | UnitRule, bases: list[str]) -> set[str]:
    """What is read of the evidence and of the passages."""
    paths: set[str] = set()
    for evidence in rule.evidence:
        inner, more = _through(bases, evidence.each)
        paths |= more | _fields([evidence.text, evidence.url, evidence.stance], inner)
    for passages in rule.passages:
        inner, more = _through(bases, passages.each)
        paths |= more | _fields([passages.text, passages.title, passages.url], inner)
    return paths


def _through(bases: list[str], items: Items | None) -> tuple[list[str], set[str]]:
    """The levels that a field inside is looked up in, the innermost last; and what is read by going there. Lists that
    are zipped count as read as a whole."""
    if items is None:
        return bases, set()
    if isinstance(items, Filtered):
        inner, paths = _through(bases, items.items)
        return inner, paths | _fields([condition.at for condition in items.where], inner)
    if isinstance(items, Nested):
        paths = set()
        for level in items.levels:
            bases, more = _through(bases, level)
            paths |= more
        return bases, paths
    if isinstance(items, Each):
        if items.path.keys == (ROWS,):
            return [*bases, ""], set()
        return [*bases, f"{_join(bases[-1 - items.path.up], items.path)}{ALL}".lstrip(".")], set()
    return [*bases, "@"], {_join(bases[-1 - path.up], path) for _, path in items.lists}


def _fields(fields: Sequence[Field | Several | None], bases: list[str]) -> set[str]:
    paths: set[str] = set()
    for field_ in fields:
        match field_:
            case Path():
                paths.add(_join(bases[max(-1 - field_.up, -len(bases))], field_))
            case LinkIn(path=path) | AsText(path=path):
                paths.add(_join(bases[max(-1 - path.up, -len(bases))], path))
            case Joined(parts=parts):
                paths |= _fields(parts, bases)
            case First(fields=several) | ValuesAt(paths=several):
                paths |= _fields(several, bases)
            case ValuesOf(each=each, path=path):
                inner, more = _through(bases, each)
                paths |= more | _fields([path], inner)
            case Constant() | None:
                pass
    return paths


def _join(base: str, path: Path) -> str:
    return ".".join(filter(None, [base, *(_plain(key) for key in path.keys)]))
