"""The recipe that a person's choices on a page make. A path that enters every item of a list has `*` there."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from annotate.corpus.recipe import JoinedFile
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
    labels of a unit become one, "" where there is one label; other_labels: those beside `label`. sentence: the text of
    the sentence that holds the claims, where they do not stand in the response itself. more_text: fields that go on the
    text of a unit, or of the response where that is judged. skip, skip_values: rows or units with one of these values
    there are passed over. unless, unless_values: a field that decides in place of the label, by its values. file,
    joined: of several files the one with the rows, "" for all, and those that complete them.
    """

    kind: str
    prompt: str
    text: str
    index: str = ""
    model: str = ""
    domain: str = ""
    topic: str = ""
    unit: str = ""
    sentence: str = ""
    label: str = ""
    evidence: str = ""
    url: str = ""
    together: str = ""
    settle: str = ""
    skip: str = ""
    unless: str = ""
    other_labels: tuple[str, ...] = ()
    more_text: tuple[str, ...] = ()
    skip_values: tuple[str, ...] = ()
    unless_values: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    joined: tuple[JoinedFile, ...] = ()


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
    response["text"] = (
        _text(chosen, chosen.text, base) if not chosen.unit else _relative(chosen.text, base, "the response")
    )
    for name in RESPONSE_FIELDS:
        if path := getattr(chosen, name):
            response[name] = f"{_relative(path, base, name)}?"
    if chosen.kind == CLAIMS and chosen.sentence:
        response["sentences"] = _sentences(chosen, base)
    elif chosen.kind in (CLAIMS, SEGMENTS):
        response[chosen.kind] = _units(chosen, base)
    elif chosen.kind == AGAINST and chosen.unit:
        response[CLAIMS] = _units(chosen, base)
    elif chosen.kind == WHOLE or (chosen.kind == AGAINST and chosen.label):
        response["label"] = _label(chosen, base)
    units = [response.get(CLAIMS, {}), response.get(SEGMENTS, {}), response.get("sentences", {}).get(CLAIMS, {})]
    if chosen.evidence and not any(_sources(chosen) in rule for rule in units):
        response[_sources(chosen)] = _evidence(chosen, base)
    document: dict[str, Any] = {"recipe": VERSION, "title": title}
    if chosen.file:
        document["file"] = chosen.file
    if chosen.joined:
        document["join"] = [asdict(each) for each in chosen.joined]
    if chosen.kind == AGAINST:
        document["scheme"] = Scheme.CLAIMS.value
    if chosen.together:
        document["together"] = chosen.together
    if chosen.skip and not _skips_units(chosen):
        if ALL in chosen.skip:
            raise RowError("what leaves rows out stands in a list: choose a field of the row or of what is judged")
        document["where"] = _condition(chosen, "")
    return {**document, "responses": response}


def _text(chosen: Choices, path: str, base: str) -> str | dict[str, Any]:
    parts = [_relative(part, base, "the text") for part in (path, *chosen.more_text)]
    return {"join": parts} if chosen.more_text else parts[0]


def _skips_units(chosen: Choices) -> bool:
    return bool(chosen.unit and list_of(chosen.unit)) and list_of(chosen.skip) == list_of(chosen.unit)


def _condition(chosen: Choices, base: str) -> dict[str, Any]:
    return {"at": f"{_within(chosen.skip, base)}?", "not": list(chosen.skip_values)}


def _sources(chosen: Choices) -> str:
    """The key of what is judged by."""
    return "passages" if chosen.kind == AGAINST else "evidence"


def _sentences(chosen: Choices, base: str) -> dict[str, Any]:
    sentences = list_of(chosen.sentence)
    if not list_in(chosen.sentence, base) or parent_of(chosen.sentence) != base:
        raise RowError("sentences must stand in a list of the response: choose a path with * in it")
    text = _within(chosen.sentence, sentences)
    return {"each": _within(sentences, base), "text": text, CLAIMS: _units(chosen, sentences)}


def _units(chosen: Choices, base: str) -> dict[str, Any]:
    units = list_of(chosen.unit)
    if chosen.together and units == base == "":
        rule: dict[str, Any] = {"each": "@rows", "text": _text(chosen, chosen.unit, "")}
    elif not units or units == base or parent_of(chosen.unit) != base:
        holder = "their sentence" if chosen.sentence else "the response"
        raise RowError(f"claims and segments must stand in a list of {holder}: choose a path with * in it")
    elif list_in(chosen.label, base) not in ("", list_in(chosen.unit, base)):
        return _zipped(chosen, base)
    else:
        rule = {"each": _within(units, base), "text": _text(chosen, chosen.unit, units)}
    if chosen.skip and _skips_units(chosen):
        rule["where"] = _condition(chosen, units)
    if chosen.label:
        rule["label"] = _label(chosen, units)
    if chosen.evidence and units and chosen.evidence.startswith(units):
        rule[_sources(chosen)] = _evidence(chosen, units)
    return rule


def _label(chosen: Choices, base: str) -> dict[str, Any]:
    """The label of the items of `base`; of several annotators it is a list there, or there are other labels."""
    if chosen.other_labels:
        return _settled([_relative(path, base, "the label") for path in _labels(chosen)], chosen, base)
    if list_of(chosen.label) != base and parent_of(chosen.label) == base:
        path = _within(chosen.label, base)
        return _settled(path.removesuffix(ALL) if list_of(chosen.label) == chosen.label else path, chosen, base)
    rule = {"at": _relative(chosen.label, base, "the label"), "values": dict(chosen.values)}
    return {**rule, **_unless(chosen, base)}


def _unless(chosen: Choices, base: str) -> dict[str, Any]:
    decided = {value: outcome for value, outcome in chosen.unless_values.items() if outcome}
    if not chosen.unless or not decided:
        return {}
    at = _relative(chosen.unless, base, "what decides in place of the label")
    return {"unless": {"at": f"{at}?", "values": decided}}


def _labels(chosen: Choices) -> list[str]:
    """The paths of the labels, each once."""
    return list(dict.fromkeys([chosen.label, *chosen.other_labels]))


def _settled(at: str | list[str], chosen: Choices, base: str) -> dict[str, Any]:
    if not chosen.settle:
        raise RowError("each unit has several labels: choose how they become one")
    return {"at": at, "values": dict(chosen.values), "settle": chosen.settle, **_unless(chosen, base)}


def _zipped(chosen: Choices, base: str) -> dict[str, Any]:
    """Units and labels in lists beside one another, and what each is judged by, where that is a list of lists. A unit's
    labels may be a list there too, or stand in several lists."""
    names = ["label", *(f"label_{number}" for number in range(2, len(_labels(chosen)) + 1))]
    paths = dict(zip(["text", *names], [chosen.unit, *_labels(chosen)], strict=True))
    if any(list_of(path) != path for path in paths.values()):
        raise RowError("units and labels stand in two lists of objects: write the recipe as JSON")
    lists = {name: list_in(path, base) for name, path in paths.items()}
    if not all(lists.values()):
        raise RowError("the labels stand in different lists: write the recipe as JSON")
    several = "" if _within(chosen.label, base) == f"{lists['label']}{ALL}" else ALL
    if chosen.more_text or chosen.unless or _skips_units(chosen):
        raise RowError("units and labels stand in lists beside one another: write the recipe as JSON")
    inside = replace(chosen, label=f"label{several}", other_labels=tuple(names[1:]))
    rule = {"each": {"zip": lists}, "text": "text", "label": _label(inside, "")}
    if _is_list_of_lists(chosen.evidence, base):
        lists["evidence"] = list_in(chosen.evidence, base)
        rule[_sources(chosen)] = {"each": "evidence.*", "text": "."}
        if _is_list_of_lists(chosen.url, base):
            lists["url"] = list_in(chosen.url, base)
            each = {"zip": {"text": "evidence", "url": "url"}}
            rule[_sources(chosen)] = {"each": each, "text": "text", "url": "url"}
        elif chosen.url:
            raise RowError("the link stands in another list than what it is of: choose another path, or write JSON")
    return rule


def _is_list_of_lists(path: str, base: str) -> bool:
    """Whether it is a list of texts for each of the units beside it."""
    return list_in(path, base) != "" and _within(path, base) == f"{list_in(path, base)}{ALL}{ALL}"


def list_in(path: str, base: str) -> str:
    """The first list that the path enters in the items of `base`, "" for none."""
    list_, star, _ = _within(path, base).partition(ALL)
    return list_ if star and path.startswith(base) else ""


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
