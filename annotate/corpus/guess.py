"""A recipe from choices on a page: the paths of a file's first rows, a guess at what they are, and the recipe that the
choices make. A path that enters every item of a list has `*` there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.corpus.recipe_fields import ALL, escape_key, spell
from annotate.corpus.recipe_parser import VERSION
from annotate.models import Scheme
from core.errors import RowError

LONGEST_EXAMPLE = 80
MOST_PATHS = 300
MOST_VALUES = 40  # distinct values of a label that are listed
DEEPEST = 6

CLAIMS, SEGMENTS, WHOLE, NOTHING = "claims", "segments", "whole", "nothing"
# Claims against a source: those in a list of the response, or without one the response itself.
AGAINST = "against"
RESPONSE_FIELDS = ("index", "model", "domain", "topic")

# Words that a field's last key is, the likelier first.
WORDS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "question", "query", "user_query", "instruction", "input"),
    "text": ("response", "answer", "output", "completion", "answer_string", "generation", "right_answer", "summary"),
    "index": ("id", "index", "uid", "qid", "key"),
    "model": ("model", "subject", "generator", "system"),
    "domain": ("domain", "category", "field", "task_type", "dataset", "subset"),
    "topic": ("topic", "entity", "subject_entity"),
    "unit": (
        *("claim", "claims", "claim_string", "claim_text", "atomic_fact", "fact", "facts", "statement", "statements"),
        *("sentence", "sentences", "segment", "segments", "segmented_response"),
    ),
    "label": ("label", "labels", "verdict", "veracity", "correctness", "factuality", "annotation", "rating", "correct"),
    "evidence": ("evidence", "evidences", "doc", "document", "passage", "passages", "context", "knowledge"),
    "url": ("url", "urls", "link", "source_url"),
}


@dataclass
class FoundPath:
    """values: distinct ones of the first rows as a recipe spells them, none where they are many."""

    example: str
    values: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Choices:
    """What a person chose: paths of find_paths, "" for none. kind: what is judged. settle: how several annotators'
    labels of a unit become one, "" where there is one label."""

    kind: str
    prompt: str
    text: str
    index: str = ""
    model: str = ""
    domain: str = ""
    topic: str = ""
    unit: str = ""
    label: str = ""
    evidence: str = ""
    url: str = ""
    together: str = ""
    settle: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


def find_paths(rows: Sequence[Mapping[str, Any]]) -> dict[str, FoundPath]:
    """The paths of all texts, numbers and truth values in the rows, in their order."""
    items = _dicts_of_items(rows)
    found: dict[str, FoundPath] = {}
    for row in rows:
        for path, value in _leaves(row, "", items, 0):
            if len(found) == MOST_PATHS and path not in found:
                continue
            entry = found.setdefault(path, FoundPath(""))
            spelling = spell(value)
            if not entry.example and spelling not in ("", "null"):
                entry.example = spelling[:LONGEST_EXAMPLE]
            if len(spelling) <= LONGEST_EXAMPLE and len(entry.values) <= MOST_VALUES and spelling not in entry.values:
                entry.values.append(spelling)
    for entry in found.values():
        if len(entry.values) > MOST_VALUES:
            entry.values = []
    return found


def _dicts_of_items(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Top keys whose objects have other keys in every row, but objects of one kind under them."""
    keys: dict[str, list[set[str]]] = {}
    for row in rows:
        for key, value in row.items():
            if isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
                keys.setdefault(key, []).append(set(value))
    return {escape_key(key) for key, sets in keys.items() if len(sets) > 1 and any(each != sets[0] for each in sets)}


def _leaves(value: Any, path: str, items: set[str], depth: int) -> Iterator[tuple[str, Any]]:
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            inside = f"{path}{ALL}" if path in items else f"{path}.{escape_key(key)}".lstrip(".")
            yield from _leaves(each, inside, items, depth + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each, f"{path}{ALL}", items, depth + 1)
    elif path:
        yield path, value


def guess(found: Mapping[str, FoundPath]) -> dict[str, str]:
    """A path for each of the fields that a name gives away; a claim's label and evidence are looked for beside it."""
    guessed = {name: _named(found, name) for name in ("prompt", "text", *RESPONSE_FIELDS)}
    inside = {path: entry for path, entry in found.items() if ALL in path and list_of(path) != list_of(guessed["text"])}
    guessed["unit"] = _named(inside, "unit")
    unit = guessed["unit"]
    within = {path: entry for path, entry in found.items() if list_of(path) == list_of(unit)}
    parallel = {path: entry for path, entry in found.items() if ALL in path and unit and _parent(path) == _parent(unit)}
    beside = {**within, **parallel}
    guessed["label"] = _named(beside if unit else found, "label")
    guessed["evidence"] = _named({**beside, **found}, "evidence")
    guessed["url"] = _named(beside, "url") if guessed["evidence"] else ""
    guessed["kind"] = CLAIMS if guessed["unit"] else WHOLE if guessed["label"] else NOTHING
    return guessed


def _named(found: Mapping[str, FoundPath], name: str) -> str:
    for word in WORDS[name]:
        for path in found:
            if [part for part in path.casefold().split(".") if part != "*"][-1:] == [word]:
                return path
    return ""


def list_of(path: str) -> str:
    """The path of the innermost items that it is in: `answers.*` of `answers.*.text`, "" outside of lists."""
    return path[: path.rindex(ALL) + len(ALL)] if ALL in path else ""


def _parent(path: str) -> str:
    """The items that its list is in."""
    return list_of(list_of(path).removesuffix(ALL)) if ALL in path else ""


def make_document(title: str, chosen: Choices) -> dict[str, Any]:
    """The recipe as JSON. RowError: the choices do not fit together."""
    base = list_of(chosen.text)
    if _parent(chosen.text):
        raise RowError("the response stands in a list within a list: write the recipe as JSON")
    response: dict[str, Any] = {"each": base} if base else {}
    if chosen.prompt:
        response["prompt"] = _relative(chosen.prompt, base, "the prompt")
    response["text"] = _relative(chosen.text, base, "the response")
    for name in RESPONSE_FIELDS:
        if path := getattr(chosen, name):
            response[name] = f"{_relative(path, base, name)}?"
    if chosen.kind in (CLAIMS, SEGMENTS):
        response[chosen.kind] = _units(chosen, base)
    elif chosen.kind == AGAINST and chosen.unit:
        response[CLAIMS] = _units(chosen, base)
    elif chosen.kind == WHOLE or (chosen.kind == AGAINST and chosen.label):
        response["label"] = _label(chosen, base)
    sources = "passages" if chosen.kind == AGAINST else "evidence"
    if chosen.evidence and not any(sources in response.get(kind, {}) for kind in (CLAIMS, SEGMENTS)):
        response[sources] = _evidence(chosen, base)
    document: dict[str, Any] = {"recipe": VERSION, "title": title}
    if chosen.kind == AGAINST:
        document["scheme"] = Scheme.CLAIMS.value
    if chosen.together:
        document["together"] = chosen.together
    return {**document, "responses": response}


def _units(chosen: Choices, base: str) -> dict[str, Any]:
    units = list_of(chosen.unit)
    if chosen.together and units == base == "":
        rule: dict[str, Any] = {"each": "@rows", "text": chosen.unit}
    elif not units or units == base or _parent(chosen.unit) != base:
        raise RowError("claims and segments must stand in a list of the response: choose a path with * in it")
    elif chosen.label and list_of(chosen.label) != units and _parent(chosen.label) == base and ALL in chosen.label:
        return _zipped(chosen, base)
    else:
        rule = {"each": _within(units, base), "text": _within(chosen.unit, units)}
    if chosen.label:
        rule["label"] = _label(chosen, units)
    if chosen.evidence and units and chosen.evidence.startswith(units):
        rule["passages" if chosen.kind == AGAINST else "evidence"] = _evidence(chosen, units)
    return rule


def _label(chosen: Choices, base: str) -> dict[str, Any]:
    """The label of the items of `base`; of several annotators it is a list there."""
    if list_of(chosen.label) != chosen.label or chosen.label == base:
        return {"at": _relative(chosen.label, base, "the label"), "values": dict(chosen.values)}
    if _parent(chosen.label) != base:
        raise RowError("the labels stand in another list than what they are of: write the recipe as JSON")
    if not chosen.settle:
        raise RowError("each unit has several labels: choose how they become one")
    path = _within(chosen.label, base).removesuffix(ALL)
    return {"at": path, "values": dict(chosen.values), "settle": chosen.settle}


def _zipped(chosen: Choices, base: str) -> dict[str, Any]:
    """Units and labels in two lists beside one another."""
    lists = {"text": list_of(chosen.unit), "label": list_of(chosen.label)}
    if lists["text"] != chosen.unit or lists["label"] != chosen.label:
        raise RowError("units and labels stand in two lists of objects: write the recipe as JSON")
    return {
        "each": {"zip": {name: _within(path, base).removesuffix(ALL) for name, path in lists.items()}},
        "text": "text",
        "label": {"at": "label", "values": dict(chosen.values)},
    }


def _evidence(chosen: Choices, base: str) -> dict[str, Any]:
    items = list_of(chosen.evidence)
    rule: dict[str, Any] = {}
    if items and items != base:
        if _parent(chosen.evidence) != base:
            raise RowError("the evidence stands in another list than what it is of: write the recipe as JSON")
        rule["each"], base = _within(items, base), items
    rule["text"] = _relative(chosen.evidence, base, "the evidence")
    if chosen.url:
        rule["url"] = _relative(chosen.url, base, "the link")
    return rule


def _relative(path: str, base: str, name: str) -> str:
    """The path as it is written inside the items of `base`: from above with ^."""
    at = list_of(path)
    if at == base:
        return _within(path, base)
    level, ups = base, 0
    while level:
        level, ups = _parent(level), ups + 1
        if at == level:
            return "^" * ups + _within(path, level)
    raise RowError(f"{name} stands in another list than what it is of: choose another path, or write JSON")


def _within(path: str, base: str) -> str:
    return path.removeprefix(base).lstrip(".") or "."


def shown_rows(rows: Sequence[Mapping[str, Any]], longest: int = 3000) -> list[str]:
    """The rows as indented JSON, each cut off after so many characters."""
    texts = [json.dumps(row, ensure_ascii=False, indent=2) for row in rows]
    return [text if len(text) <= longest else f"{text[:longest]}…" for text in texts]
