"""The paths of a file's first rows, and a guess at what they are. A path that enters every item of a list has `*`
there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.corpus.choices import CLAIMS, NOTHING, RESPONSE_FIELDS, SEGMENTS, WHOLE, list_of, parent_of
from annotate.corpus.recipe_fields import ALL, escape_key, spell

LONGEST_EXAMPLE = 80
MOST_PATHS = 300
MOST_VALUES = 40  # distinct values of a label that are listed
DEEPEST = 6


# The key of the text in a list of objects, which the list names: `sentences.*.text`.
TEXT_KEYS = ("text", "content", "string")

# Words that a field's last key is, the likelier first.
WORDS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "question", "query", "user_query", "instruction", "input"),
    "text": ("response", "answer", "output", "completion", "answer_string", "generation", "right_answer", "summary"),
    "index": ("id", "index", "uid", "qid", "key"),
    "model": ("model", "subject", "generator", "system"),
    "domain": ("domain", "category", "field", "task_type", "dataset", "subset"),
    "topic": ("topic", "entity", "subject_entity"),
    CLAIMS: (
        *("claim", "claims", "claim_string", "claim_text", "atomic_fact", "atomic_facts", "fact", "facts"),
        *("statement", "statements"),
    ),
    SEGMENTS: ("segment", "segments", "segmented_response", "sentence", "sentences"),
    "label": ("label", "labels", "verdict", "veracity", "correctness", "factuality", "annotation", "rating", "correct"),
    "evidence": ("evidence", "evidences", "doc", "document", "passage", "passages", "context", "knowledge"),
    "url": ("url", "urls", "link", "source_url"),
}


@dataclass
class FoundPath:
    """values: distinct ones of the first rows as a recipe spells them, none where they are many."""

    example: str
    values: list[str] = field(default_factory=list)


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
    claim = _named(inside, CLAIMS)
    guessed["unit"] = unit = claim or _named(inside, SEGMENTS)
    within = {path: entry for path, entry in found.items() if list_of(path) == list_of(unit)}
    parallel = {
        path: entry for path, entry in found.items() if ALL in path and unit and parent_of(path) == parent_of(unit)
    }
    beside = {**within, **parallel}
    guessed["label"] = _named(beside if unit else found, "label")
    guessed["evidence"] = _named({**beside, **found}, "evidence")
    guessed["url"] = _named(beside, "url") if guessed["evidence"] else ""
    guessed["kind"] = CLAIMS if claim else SEGMENTS if unit else WHOLE if guessed["label"] else NOTHING
    return guessed


def _named(found: Mapping[str, FoundPath], name: str) -> str:
    for word in WORDS[name]:
        for path in found:
            if name_in(path) == word:
                return path
    return ""


def name_in(path: str) -> str:
    """What a path names, in small letters: its last key, or of a text in a list of objects the list's."""
    keys = [part for part in path.casefold().split(".") if part != "*"]
    is_text = len(keys) > 1 and keys[-1] in TEXT_KEYS and not path.endswith(ALL) and ALL in path
    return keys[-2] if is_text else keys[-1]


def shown_rows(rows: Sequence[Mapping[str, Any]], longest: int = 3000) -> list[str]:
    """The rows as indented JSON, each cut off after so many characters."""
    texts = [json.dumps(row, ensure_ascii=False, indent=2) for row in rows]
    return [text if len(text) <= longest else f"{text[:longest]}…" for text in texts]
