"""The paths of a file's first rows, and a guess at what they are. A path that enters every item of a list has `*`
there."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.corpus.choices import (
    AGAINST,
    CLAIMS,
    NOTHING,
    RESPONSE_FIELDS,
    SEGMENTS,
    WHOLE,
    Choices,
    list_in,
    list_of,
    make_document,
    parent_of,
)
from annotate.corpus.recipe import Settling
from annotate.corpus.recipe_fields import ALL, escape_key, spell
from core.errors import RowError

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
        *("statement", "statements", "hypothesis"),
    ),
    SEGMENTS: ("segment", "segments", "segmented_response", "sentence", "sentences"),
    "label": (
        *("label", "labels", "verdict", "verdicts", "veracity", "correctness", "factuality", "annotation"),
        *("annotations", "rating", "ratings", "correct", "factual", "supported", "hallucinated"),
        *("is_correct", "is_factual", "is_supported", "is_true", "is_false", "is_hallucination", "is_hallucinated"),
    ),
    "evidence": ("evidence", "evidences", "doc", "document", "passage", "passages", "context", "premise", "knowledge"),
    "url": ("url", "urls", "link", "source_url"),
}

NO_LABEL: dict[str, Any] = {"label": "", "other_labels": [], "settle": ""}

# Words that it ends with: `if_claim_needs_edit`, `auto_evidence`.
LAST_WORDS = {
    "label": ("needs_edit", "label", "labels", "verdict", "verdicts", "factuality"),
    "evidence": ("evidence", "evidences", "passages"),
    "url": ("url", "urls", "link", "links"),
}
# What a field says that tells whether there is evidence, and holds none.
YES_OR_NO = {"", "true", "false", "null", "yes", "no"}
# The key of a list of annotators, who give a label each, besides those of labels.
LABEL_LISTS = ("annotators", "raters", "votes", "judgements", "judgments")
# A key of one of several annotators: what they give, or they, and a number or letter.
ANNOTATOR = re.compile(
    r"((?:label_)?(?:label|annotator|annotation|rater|verdict|rating)_?)(?:\d{1,2}|[a-e])((?:_label)?)"
)


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


def guess(found: Mapping[str, FoundPath]) -> dict[str, Any]:
    """A path for each of the fields that a name gives away, by the fields of MappingForm; a claim's label and evidence
    are looked for beside it. What they guess together makes a recipe. What a label means is never guessed."""
    guessed: dict[str, Any] = {name: _named(found, name) for name in ("prompt", "text", *RESPONSE_FIELDS)}
    guessed |= _guess_unit(found, guessed)
    sources = _guess_evidence(found, {**guessed, "kind": AGAINST})
    if guessed["text"] and not guessed["prompt"] and sources["evidence"]:
        guessed["kind"] = AGAINST
    guessed |= _guess_labels(found, guessed)
    return guessed | _guess_evidence(found, guessed)


def _guess_unit(found: Mapping[str, FoundPath], guessed: Mapping[str, Any]) -> dict[str, Any]:
    """What is judged: claims rather than sentences, unless only these have labels. Of a row without a response that
    names a claim this is the claim, against a source."""
    text = guessed["text"]
    alone = {path: entry for path, entry in found.items() if ALL not in path}
    if not text and (claim := _named(alone, CLAIMS)):
        return {"kind": AGAINST, "text": claim, "unit": ""}
    inside = {path: entry for path, entry in found.items() if ALL in path and list_of(path) != list_of(text)}
    units = [
        {"kind": kind, "unit": path, "sentence": _guess_sentence(found, path, list_of(text)) if kind == CLAIMS else ""}
        for kind in (CLAIMS, SEGMENTS)
        for path in _all_named(inside, kind)
    ]
    fitting = [unit for unit in units if _fits({**guessed, **unit, **NO_LABEL})]
    labelled = (unit for unit in fitting if _guess_labels(found, {**guessed, **unit})["label"])
    return next(labelled, next(iter(fitting), {"kind": WHOLE, "unit": ""}))


def _guess_sentence(found: Mapping[str, FoundPath], unit: str, base: str) -> str:
    """The text of the sentence whose items hold the unit, "" where the response itself does."""
    holder = parent_of(unit)
    if holder == base or parent_of(holder) != base:
        return ""
    return _named({path: entry for path, entry in found.items() if list_of(path) == holder}, SEGMENTS)


def _guess_evidence(found: Mapping[str, FoundPath], guessed: Mapping[str, Any]) -> dict[str, str]:
    """The texts that units or the response are judged by, those in the units first, and their links."""
    near = {
        path: entry for path, entry in found.items() if guessed["unit"] and path.startswith(list_of(guessed["unit"]))
    }
    for path in (*_all_named(near, "evidence"), *_all_named(found, "evidence")):
        if found[path].values and YES_OR_NO.issuperset(found[path].values):
            continue
        links = [link for link in _all_named(found, "url") if link != path and _depth(link) == _depth(path)]
        for url in (*links, ""):
            if _fits({**NO_LABEL, **guessed, "evidence": path, "url": url}):
                return {"evidence": path, "url": url}
    return {"evidence": "", "url": ""}


def _guess_labels(found: Mapping[str, FoundPath], guessed: Mapping[str, Any]) -> dict[str, Any]:
    """The label with those of other annotators; a response that has none is not judged. Several labels settle where
    all agree."""
    unit = guessed["unit"]
    beside = {path: entry for path, entry in found.items() if not unit or list_in(path, parent_of(unit))}
    named = (path for path in _all_named(beside, "label") if beside[path].values)
    for first, *others in [*([path] for path in named), *_siblings(beside)]:
        labels = {"label": first, "other_labels": others}
        if _fits({**guessed, **labels, "settle": ""}):
            return {**labels, "settle": ""}
        settled = {**labels, "settle": Settling.UNANIMOUS.value}
        if (others or _is_of_labels(first)) and _fits({**guessed, **settled}):
            return settled
    kind = guessed["kind"] if unit or guessed["kind"] == AGAINST else NOTHING
    return {"kind": kind, **NO_LABEL}


def _depth(path: str) -> int:
    return path.count(ALL)


def _is_of_labels(path: str) -> bool:
    """Whether the list that it is in holds the labels of annotators: `labels.*`, `annotations.*.label`."""
    return name_in(list_of(path)) in (*WORDS["label"], *LABEL_LISTS) if ALL in path else False


def _siblings(found: Mapping[str, FoundPath]) -> Iterator[list[str]]:
    """The labels of annotators who have a key each, such as label_a and label_b; their values are few, and shared."""
    groups: dict[str, list[str]] = {}
    for path, entry in found.items():
        name = name_in(path)
        if entry.values and (match := ANNOTATOR.fullmatch(name)):
            stem = [f"{match[1]}{match[2]}" if part.casefold() == name else part for part in path.split(".")]
            groups.setdefault(".".join(stem), []).append(path)
    for paths in groups.values():
        first, *others = (set(found[path].values) for path in paths)
        if others and all(first & values for values in others):
            yield paths


def _fits(guessed: Mapping[str, Any]) -> bool:
    """Whether a recipe comes of it."""
    try:
        make_document("", Choices(**{**guessed, "other_labels": tuple(guessed["other_labels"])}))
    except RowError:
        return False
    return True


def _named(found: Mapping[str, FoundPath], name: str) -> str:
    return next(_all_named(found, name), "")


def _all_named(found: Mapping[str, FoundPath], name: str) -> Iterator[str]:
    """The paths that have one of the field's words for a name or at its end, the likelier first."""
    for word in WORDS[name]:
        yield from sorted((path for path in found if name_in(path) == word), key=_depth)
    for word in LAST_WORDS.get(name, ()):
        yield from (path for path in found if name_in(path).endswith(f"_{word}"))


def name_in(path: str) -> str:
    """What a path names, in small letters: its last key, or of a text in a list of objects the list's."""
    keys = [part for part in path.casefold().split(".") if part != "*"]
    is_text = len(keys) > 1 and keys[-1] in TEXT_KEYS and not path.endswith(ALL) and ALL in path
    return keys[-2] if is_text else keys[-1]


def shown_rows(rows: Sequence[Mapping[str, Any]], longest: int = 3000) -> list[str]:
    """The rows as indented JSON, each cut off after so many characters."""
    texts = [json.dumps(row, ensure_ascii=False, indent=2) for row in rows]
    return [text if len(text) <= longest else f"{text[:longest]}…" for text in texts]
