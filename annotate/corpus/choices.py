"""The recipe that a person's choices on a page make. A path that enters every item of a list has `*` there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from annotate.corpus.recipe_fields import ALL
from annotate.corpus.recipe_parser import VERSION
from annotate.models import Scheme
from core.errors import RowError

CLAIMS, SEGMENTS, WHOLE, NOTHING = "claims", "segments", "whole", "nothing"
# Claims against a source: those in a list of the response, or without one the response itself.
AGAINST = "against"
RESPONSE_FIELDS = ("index", "model", "domain", "topic")


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


def list_of(path: str) -> str:
    """The path of the innermost items that it is in: `answers.*` of `answers.*.text`, "" outside of lists."""
    return path[: path.rindex(ALL) + len(ALL)] if ALL in path else ""


def parent_of(path: str) -> str:
    """The items that its list is in."""
    return list_of(list_of(path).removesuffix(ALL)) if ALL in path else ""


def make_document(title: str, chosen: Choices) -> dict[str, Any]:
    """The recipe as JSON. RowError: the choices do not fit together."""
    base = list_of(chosen.text)
    if parent_of(chosen.text):
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
    elif not units or units == base or parent_of(chosen.unit) != base:
        raise RowError("claims and segments must stand in a list of the response: choose a path with * in it")
    elif chosen.label and list_of(chosen.label) != units and parent_of(chosen.label) == base and ALL in chosen.label:
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
    if parent_of(chosen.label) != base:
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
        if parent_of(chosen.evidence) != base:
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
        level, ups = parent_of(level), ups + 1
        if at == level:
            return "^" * ups + _within(path, level)
    raise RowError(f"{name} stands in another list than what it is of: choose another path, or write JSON")


def _within(path: str, base: str) -> str:
    return path.removeprefix(base).lstrip(".") or "."
