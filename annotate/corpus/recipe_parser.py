"""A recipe from its JSON: read strictly, every fault an error that names the place and the cause."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path as FilePath
from typing import Any, TypeVar

from annotate.corpus.recipe import (
    EvidenceRule,
    JoinedFile,
    LabelRule,
    Outcome,
    PassageRule,
    Recipe,
    ResponseRule,
    SentenceRule,
    Settling,
    SpanRule,
    UnitRule,
)
from annotate.corpus.recipe_fields import (
    ALL,
    ITSELF,
    ROWS,
    AsText,
    Condition,
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
    Zipped,
    key_of,
    parse_path,
    spell,
)
from annotate.models import Scheme
from annotate.models.values import Stance
from core.errors import DataError, RowError, describe
from core.json_limits import parse_json
from core.json_lines import distinct, opened
from core.row_fields import check_keys, check_list, check_text, plain_value

VERSION = 1
LARGEST = 200_000  # bytes of a recipe's file
LONGEST_TITLE = 100
LONGEST_ABOUT = 2_000
MOST_VALUES = 500
FORMATS = ("json-lines", "json", "csv", "spreadsheet", "parquet", "arrow", "folder")
NO_STANCE = "none"
# What is kept of a label (annotate/corpus/mapping.py).
RESERVED = ("label", "outcome")
KINDS = ("claims", "sentences", "segments", "spans", "label")
# Those of the scheme of claims.
OF_CLAIMS = ("claims", "label")
OF_RESPONSE = ("index", "model", "domain", "source", "topic")

Document = dict[str, Any]
Parsed = TypeVar("Parsed")
Choice = TypeVar("Choice", bound=StrEnum)


def read_recipe(path: FilePath) -> Recipe:
    """The recipe of a file. DataError names the place that is at fault."""
    with opened(path) as file:
        data = file.read(LARGEST + 1)
    return parse_recipe_text(data, path.name)


def parse_recipe_text(data: bytes, name: str) -> Recipe:
    """As parse_recipe, of the bytes of a file."""
    if len(data) > LARGEST:
        raise DataError(f"{name}: a recipe has at most {LARGEST:,} bytes.")
    try:
        document = parse_json(data.removeprefix(b"\xef\xbb\xbf"), object_pairs_hook=distinct)
    except json.JSONDecodeError as error:
        raise DataError(f"{name}, line {error.lineno}: not JSON: {error.msg} (character {error.colno}).") from None
    except UnicodeDecodeError:
        raise DataError(f"{name} is not UTF-8 text.") from None
    except (RowError, ValueError) as error:
        raise DataError(f"{name}: {error}.") from None
    return parse_recipe(document, name)


def parse_recipe(document: object, name: str = "recipe") -> Recipe:
    """The recipe that a JSON document is. DataError names the place that is at fault."""
    try:
        _check_storable(document)
        return _recipe(_object(document, "the recipe"))
    except RowError as error:
        raise DataError(f"{name}: {error}.") from None


def with_meanings(document: Any, meanings: Mapping[str, str]) -> Any:
    """The recipe's document, in which labels that its rules do not name have an outcome."""
    if isinstance(document, list):
        return [with_meanings(item, meanings) for item in document]
    if not isinstance(document, dict):
        return document
    if "at" in document and "values" in document:
        return {**document, "values": {**meanings, **document["values"]}}
    # Stances have values too, and what decides in place of a label.
    return {
        key: item if key in ("stance", "unless") else with_meanings(item, meanings) for key, item in document.items()
    }


def _check_storable(document: object) -> None:
    """The document is kept as it is: no text in it may hold what a database does not store."""
    match document:
        case str():
            check_text(document, "a text of the recipe")
        case list():
            for item in document:
                _check_storable(item)
        case dict():
            for key, item in document.items():
                _check_storable(key)
                _check_storable(item)


def _recipe(document: Document) -> Recipe:
    optional = ("about", "tested", "format", "rows", "together", "scheme", "where", "file", "join")
    check_keys(document, ("recipe", "title", "responses"), optional)
    if document["recipe"] != VERSION or isinstance(document["recipe"], bool):
        raise RowError(f"recipe must be {VERSION}, the version of this form, not {describe(document['recipe'])}")
    tested = document.get("tested", True)
    if not isinstance(tested, bool):
        raise RowError(f"tested must be true or false, not {describe(tested)}")
    rules = document["responses"]
    rules = rules if isinstance(rules, list) else [rules]
    together = _optional(document, "together", "the recipe", _path)
    of_claims = _choice(document, "scheme", (Scheme.CLAIMS.value,)) != ""
    recipe = Recipe(
        document=document,
        title=_filled(document, "title", LONGEST_TITLE),
        about=check_text(document.get("about", ""), "about", LONGEST_ABOUT),
        tested=tested,
        format=_choice(document, "format", FORMATS),
        rows=check_text(document.get("rows", ""), "rows"),
        together=together,
        where=_conditions(document, "the recipe"),
        file=_file_name(document, "file", "the recipe") if "file" in document else "",
        joined=_each_of(document, "join", "the recipe", _joined),
        responses=tuple(
            _response(_object(rule, place), place, together is not None, of_claims)
            for rule, place in zip(rules, _places("responses", rules), strict=True)
        ),
    )
    if recipe.joined and not recipe.file:
        raise RowError("join completes the rows of one file of a folder: name it as file")
    if not recipe.responses:
        raise RowError("responses is empty")
    if len({rule.scheme for rule in recipe.responses}) > 1:
        raise RowError("responses: some have claims and some have segments; a dataset has one of the two")
    return recipe


def _joined(rule: Document, place: str) -> JoinedFile:
    check_keys(rule, ("file", "by"), ("there",), place)
    by = _filled(rule, "by", LONGEST_TITLE)
    there = _filled(rule, "there", LONGEST_TITLE) if "there" in rule else by
    return JoinedFile(_file_name(rule, "file", place), by, there)


def _file_name(rule: Document, key: str, place: str) -> str:
    name = check_text(rule[key], f"{key} of {place}")
    if not name or FilePath(name).name != name:
        raise RowError(f"{key} of {place} must be the name of a file in the folder, not {describe(name)}")
    return name


def _conditions(rule: Document, place: str) -> tuple[Condition, ...]:
    return _each_of(rule, "where", place, _condition)


def _condition(rule: Document, place: str) -> Condition:
    check_keys(rule, ("at",), ("is", "not"), place)
    if len(rule) != 2:
        raise RowError(f"{place} must have is or not, with the values that are meant")
    (kind,) = rule.keys() - {"at"}
    values = check_list(rule[kind], f"{kind} of {place}")
    spellings = {spell(value) for value in values}
    return Condition(
        _field(rule["at"], f"at of {place}"), frozenset(spellings | set(map(plain_value, spellings))), kind == "not"
    )


def _response(rule: Document, place: str, together: bool, of_claims: bool) -> ResponseRule:
    more = ("each", *OF_RESPONSE, "evidence", "passages", "keep", *KINDS)
    check_keys(rule, ("text",) if of_claims else ("prompt", "text"), ("prompt", *more), place)
    kinds = [kind for kind in KINDS if kind in rule]
    if len(kinds) > 1:
        raise RowError(f"{place} has {' and '.join(kinds)}; a response is judged by one of them")
    if together and "each" in rule:
        raise RowError(f"{place}: rows that are one response together have no items that are responses (each)")
    parsed = ResponseRule(
        each=_optional(rule, "each", place, _items),
        prompt=_optional(rule, "prompt", place, _field),
        text=_field(rule["text"], f"text of {place}"),
        evidence=_evidence_rules(rule, place),
        passages=_passage_rules(rule, place),
        keep=_keep(rule, place),
        of_claims=of_claims,
        claims=_optional(rule, "claims", place, _units),
        sentences=_optional(rule, "sentences", place, _sentences),
        segments=_optional(rule, "segments", place, _units),
        spans=_optional(rule, "spans", place, _spans),
        label=_optional(rule, "label", place, _label),
        **{key: _optional(rule, key, place, _field) for key in OF_RESPONSE},
    )
    _check_scheme(parsed, kinds, place)
    return parsed


def _check_scheme(rule: ResponseRule, kinds: list[str], place: str) -> None:
    """Claims against a source are `claims` or the response itself; only they have passages."""
    if rule.of_claims:
        if other := [kind for kind in kinds if kind not in OF_CLAIMS]:
            raise RowError(f"{place} has {other[0]}; in the scheme claims it has claims, or is a claim itself")
        return
    units = (rule.claims, rule.segments, rule.sentences and rule.sentences.claims)
    if rule.passages or any(unit.passages for unit in units if unit):
        raise RowError(f'{place} has passages; they belong to claims against a source ("scheme": "claims")')


def _units(document: object, place: str) -> UnitRule:
    rule = _object(document, place)
    check_keys(rule, ("each", "text"), ("where", "label", "reason", "evidence", "passages", "keep"), place)
    return UnitRule(
        each=_filtered(rule, place),
        text=_field(rule["text"], f"text of {place}"),
        label=_optional(rule, "label", place, _label),
        reason=_optional(rule, "reason", place, _field),
        evidence=_evidence_rules(rule, place),
        passages=_passage_rules(rule, place),
        keep=_keep(rule, place, RESERVED),
    )


def _filtered(rule: Document, place: str) -> Items:
    items = _items(rule["each"], f"each of {place}")
    where = _conditions(rule, place)
    return Filtered(items, where) if where and not isinstance(items, Filtered) else items


def _sentences(document: object, place: str) -> SentenceRule:
    rule = _object(document, place)
    check_keys(rule, ("each", "text", "claims"), ("keep",), place)
    return SentenceRule(
        each=_items(rule["each"], f"each of {place}"),
        text=_field(rule["text"], f"text of {place}"),
        claims=_units(rule["claims"], f"claims of {place}"),
        keep=_keep(rule, place),
    )


def _spans(document: object, place: str) -> SpanRule:
    rule = _object(document, place)
    by_text = "text" in rule and not {"start", "end"} & rule.keys()
    offsets = () if by_text else ("start", "end")
    check_keys(rule, ("each", *offsets, "label", "elsewhere"), ("where", "text", "keep"), place)
    return SpanRule(
        each=_filtered(rule, place),
        at=None if by_text else (_path(rule["start"], f"start of {place}"), _path(rule["end"], f"end of {place}")),
        text=_optional(rule, "text", place, _field),
        label=_label(rule["label"], f"label of {place}"),
        elsewhere=_member(Outcome, rule["elsewhere"], f"elsewhere of {place}"),
        keep=_keep(rule, place, RESERVED),
    )


def _label(document: object, place: str) -> LabelRule:
    rule = _object(document, place)
    if "value" in rule:
        check_keys(rule, ("value",), place=place)
        outcome = _member(Outcome, rule["value"], f"value of {place}")
        return LabelRule(Constant(outcome.value), {outcome.value: outcome})
    check_keys(rule, ("at", "values"), ("settle", "unless"), place)
    settle = _member(Settling, rule["settle"], f"settle of {place}") if "settle" in rule else None
    at = f"at of {place}"
    field = _several(rule["at"], at) if settle else _field(rule["at"], at)
    return LabelRule(field, _outcomes(rule, place), settle, _each_of(rule, "unless", place, _unless))


def _outcomes(rule: Document, place: str) -> dict[str, Outcome]:
    return {
        spelling: _member(Outcome, outcome, f"values of {place}, {describe(spelling)},")
        for spelling, outcome in _values(rule, place).items()
    }


def _unless(rule: Document, place: str) -> tuple[Field, dict[str, Outcome]]:
    check_keys(rule, ("at", "values"), place=place)
    return _field(rule["at"], f"at of {place}"), _outcomes(rule, place)


def _several(document: object, place: str) -> Field | Several:
    """Where several labels are: a list of paths, the path of a value of every item, or a field that is a list."""
    if isinstance(document, list):
        paths = tuple(_path(path, place) for path in document)
        if len(set(paths)) < max(2, len(paths)):
            raise RowError(f"{place} must name two paths or more, each once")
        return ValuesAt(paths)
    if isinstance(document, str) and ALL in document:
        each, _, path = document.rpartition(ALL)
        return ValuesOf(document, _items(each + ALL, place), _path(path.removeprefix(".") or ITSELF, place))
    return _field(document, place)


def _values(rule: Document, place: str) -> Document:
    values = _object(rule["values"], f"values of {place}")
    if not values or len(values) > MOST_VALUES:
        raise RowError(f"values of {place} must name 1 to {MOST_VALUES} values of the file")
    return values


def _evidence_rules(rule: Document, place: str) -> tuple[EvidenceRule, ...]:
    return _each_of(rule, "evidence", place, _evidence)


def _passage_rules(rule: Document, place: str) -> tuple[PassageRule, ...]:
    return _each_of(rule, "passages", place, _passages)


def _each_of(rule: Document, key: str, place: str, parse: Callable[[Document, str], Parsed]) -> tuple[Parsed, ...]:
    """What stands under the key: one object, or a list of them; () where the key is missing."""
    if key not in rule:
        return ()
    rules = rule[key] if isinstance(rule[key], list) else [rule[key]]
    places = _places(f"{key} of {place}", rules)
    return tuple(parse(_object(each, name), name) for each, name in zip(rules, places, strict=True))


def _passages(rule: Document, place: str) -> PassageRule:
    check_keys(rule, ("text",), ("each", "title", "url", "skip"), place)
    return PassageRule(
        each=_optional(rule, "each", place, _items),
        text=_field(rule["text"], f"text of {place}"),
        title=_optional(rule, "title", place, _field),
        url=_optional(rule, "url", place, _field),
        skip=_skipped(rule, place),
    )


def _skipped(rule: Document, place: str) -> frozenset[str]:
    skip = check_list(rule.get("skip", []), f"skip of {place}")
    return frozenset(check_text(text, f"skip of {place}") for text in skip)


def _evidence(rule: Document, place: str) -> EvidenceRule:
    check_keys(rule, (), ("each", "text", "url", "stance", "skip"), place)
    if "text" not in rule and "url" not in rule:
        raise RowError(f"{place} has neither text nor url")
    stance, stances = None, {}
    if "stance" in rule:
        inner = _object(rule["stance"], f"stance of {place}")
        check_keys(inner, ("at", "values"), place=f"stance of {place}")
        stance = _field(inner["at"], f"at of stance of {place}")
        for spelling, value in _values(inner, f"stance of {place}").items():
            where = f"values of stance of {place}, {describe(spelling)},"
            stances[spelling] = "" if value == NO_STANCE else _stance(value, where)
    return EvidenceRule(
        each=_optional(rule, "each", place, _items),
        text=_optional(rule, "text", place, _field),
        url=_optional(rule, "url", place, _field),
        stance=stance,
        stances=stances,
        skip=_skipped(rule, place),
    )


def _stance(value: object, place: str) -> str:
    if not isinstance(value, str) or value not in Stance.values:
        raise RowError(f"{place} must be {', '.join(Stance.values)} or {NO_STANCE}, not {describe(value)}")
    return value


def _items(document: object, place: str) -> Items:
    """`answers.*`, `pages.*.passages.*`, `@rows`, or the names of lists of one length in `zip`."""
    name = place.removeprefix("each of ").partition(" of ")[0].partition(",")[0].rstrip("s")
    if isinstance(document, dict):
        check_keys(document, ("zip",), place=place)
        lists = _object(document["zip"], f"zip of {place}")
        if not lists:
            raise RowError(f"zip of {place} names no list")
        return Zipped(tuple((key, _path(path, f"{key} of {place}")) for key, path in lists.items()), name)
    text = check_text(document, place)
    if text == ROWS:
        return Each(_path(text, place), name)
    if not text.removesuffix("?").endswith(ALL):
        raise RowError(f'{place} must end with "{ALL}", the sign for every item, not {describe(text)}')
    optional = "?" if text.endswith("?") else ""
    *outer, last = text.removesuffix("?").removesuffix(ALL).split(ALL)
    paths = [*outer, last + optional] if last else [*outer, ITSELF + optional]
    levels = tuple(Each(_path(path.removeprefix(".") or ITSELF, place), name) for path in paths)
    return levels[0] if len(levels) == 1 else Nested(levels)


def _field(document: object, place: str) -> Field:
    """A path, {"value": text}, {"join": [field, …], "with": text}, {"first": [field, …]}, {"as_text": path} or
    {"link_in": path}."""
    if not isinstance(document, dict):
        return _path(document, place)
    if "join" in document:
        check_keys(document, ("join",), ("with",), place)
        parts = [_field(part, f"join of {place}") for part in check_list(document["join"], f"join of {place}")]
        plain = tuple(part for part in parts if isinstance(part, Path | Constant))
        if not parts or len(plain) < len(parts):
            raise RowError(f"join of {place} must be a list of paths and values")
        return Joined(plain, check_text(document.get("with", " "), f"with of {place}"))
    if "first" in document:
        check_keys(document, ("first",), place=place)
        fields = [_field(part, f"first of {place}") for part in check_list(document["first"], f"first of {place}")]
        plain_fields = tuple(part for part in fields if isinstance(part, Path | Constant | AsText))
        if not fields or len(plain_fields) < len(fields):
            raise RowError(f"first of {place} must be a list of paths, values and as_text")
        return First(plain_fields)
    if "as_text" in document:
        check_keys(document, ("as_text",), place=place)
        return AsText(_path(document["as_text"], f"as_text of {place}"))
    if "link_in" in document:
        check_keys(document, ("link_in",), place=place)
        return LinkIn(_path(document["link_in"], f"link_in of {place}"))
    check_keys(document, ("value",), place=place)
    return Constant(check_text(document["value"], f"value of {place}"))


def _path(document: object, place: str) -> Path:
    text = check_text(document, place)
    if ALL in text:
        raise RowError(f"{place} is one value, {describe(text)} is several: go through them with each")
    try:
        return parse_path(text)
    except RowError as error:
        raise RowError(f"{place}: {error}") from None


def _keep(rule: Document, place: str, reserved: tuple[str, ...] = ()) -> tuple[Path, ...]:
    names = check_list(rule.get("keep", []), f"keep of {place}")
    paths = tuple(_path(name, f"keep of {place}") for name in names)
    keys = Counter(key_of(path) for path in paths)
    if twice := [key for key, count in keys.items() if count > 1 or key in reserved]:
        raise RowError(f"keep of {place}: there is another {describe(twice[0])}; what is kept has its last key as name")
    return paths


def _optional(rule: Mapping[str, Any], key: str, place: str, parse: Callable[[object, str], Parsed]) -> Parsed | None:
    return parse(rule[key], f"{key} of {place}") if key in rule else None


def _object(document: object, place: str) -> Document:
    if not isinstance(document, dict):
        raise RowError(f"{place} must be an object, not {describe(document)}")
    return document


def _places(name: str, rules: list[Any]) -> list[str]:
    return [name] if len(rules) == 1 else [f"{name}, item {place}," for place in range(1, len(rules) + 1)]


def _member(choices: type[Choice], value: object, place: str) -> Choice:
    names = [choice.value for choice in choices]
    if not isinstance(value, str) or value not in names:
        raise RowError(f"{place} must be {', '.join(names[:-1])} or {names[-1]}, not {describe(value)}")
    return choices(value)


def _choice(document: Document, key: str, choices: tuple[str, ...]) -> str:
    value = document.get(key, "")
    if value and value not in choices:
        raise RowError(f"{key} must be one of {', '.join(choices)}, not {describe(value)}")
    return check_text(value, key)


def _filled(document: Document, key: str, longest: int) -> str:
    text = check_text(document[key], key, longest)
    if not text.strip():
        raise RowError(f"{key} is empty")
    return text
