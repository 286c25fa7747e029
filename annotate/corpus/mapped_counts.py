"""What a recipe makes of a whole file, and what it leaves out: counted as the rows are checked."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from annotate.corpus.mapping import KEPT
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
from annotate.corpus.rows import FactRow, ResponseRow, SegmentRow
from annotate.corpus.segmenting import NOT_ALIGNED, segments_of
from core.errors import RowError
from core.row_fields import UNSTORABLE
from core.rows.files import Row

# The rows in which keys are looked for that the recipe does not read.
LOOKED_AT = 200
# The keys of a path, each as it is written there: a dot within one has a backslash before it.
KEYS = re.compile(r"(?:\\.|[^.\\])+", re.DOTALL)


@dataclass
class MappedCounts:
    """facts: claims are judged, not segments. units: these. outcomes: by outcome, those without a label as "no_label".
    claims: those that came without their sentences, `aligned` of them now have one. evidence: passages and links that
    stand with a judgement; references: those that stand with a response; passages: those that claims are judged by,
    each claim's counted. unread: keys that the recipe does not read."""

    facts: bool
    units: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    claims: int = 0
    aligned: int = 0
    evidence: int = 0
    references: int = 0
    passages: int = 0
    unread: list[str] = field(default_factory=list)

    def add(self, row: ResponseRow, profile: str) -> None:
        segments = segments_of(row, profile)
        facts = [fact for segment in segments for fact in segment.human_facts]
        for unit in facts if self.facts else segments:
            self.units += 1
            self.outcomes[_outcome(unit)] += 1
            self.evidence += len(unit.judged.cards) if unit.judged else 0
        self.references += len(row.references)
        self.passages += sum(len(segment.passages) for segment in segments)
        self.claims += len(row.claims)
        loose = [segment for segment in segments if segment.extra == NOT_ALIGNED]
        self.aligned += len(row.claims) - sum(len(segment.human_facts) for segment in loose)

    def document(self) -> dict[str, Any]:
        """As JSON; `share_aligned` is null where all claims came with their sentences."""
        return {
            "units": self.units,
            "outcomes": dict(sorted(self.outcomes.items())),
            "claims": self.claims,
            "aligned": self.aligned,
            "share_aligned": self.aligned / self.claims if self.claims else None,
            "evidence": self.evidence,
            "references": self.references,
            "passages": self.passages,
            "unread": self.unread,
        }


def describe_counts(counts: MappedCounts) -> list[str]:
    """Lines for people: units by outcome, the share aligned, and what was left out."""
    by_outcome = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.outcomes.most_common())
    lines = [f"{counts.units:,} units: {by_outcome}" if counts.units else "no units are judged"]
    if counts.claims:
        share = counts.aligned / counts.claims
        lines.append(f"{counts.aligned:,} of {counts.claims:,} claims aligned to a sentence ({share:.1%})")
    if counts.evidence or counts.references:
        lines.append(f"evidence: {counts.evidence:,} with judgements, {counts.references:,} with responses")
    if counts.passages:
        lines.append(f"passages: {counts.passages:,} that claims are judged by")
    if counts.unread:
        lines.append(f"not read: {', '.join(counts.unread)}")
    return lines


def _outcome(unit: FactRow | SegmentRow) -> str:
    if unit.judged is not None:
        return unit.judged.value
    return str(unit.extra.get(KEPT, {}).get("outcome", "no_label"))


def unread_keys(recipe: Recipe, rows: Iterable[Row]) -> list[str]:
    """Paths in the first rows that the recipe does not read, in their order; `*` stands for every item."""
    read = [KEYS.findall(path) for path in _read_paths(recipe)]
    found: dict[str, None] = {}
    for _, row in islice(rows, LOOKED_AT):
        if not isinstance(row, RowError):
            _walk(row, [], read, found)
    return list(found)


def _walk(value: Any, at: list[str], read: Sequence[list[str]], found: dict[str, None]) -> None:
    if any(at[: len(path)] == path for path in read):
        return
    items: list[tuple[str, Any]] = []
    if isinstance(value, list):
        items = [("*", item) for item in value]
    elif isinstance(value, dict):
        goes_through = any(path[: len(at) + 1] == [*at, "*"] for path in read)
        items = [("*" if goes_through else _plain(key), item) for key, item in value.items()]
    for key, item in items:
        inside = [*at, key]
        if any(path[: len(inside)] == inside for path in read):
            _walk(item, inside, read, found)
        else:
            found[".".join(inside)] = None


def _plain(key: str) -> str:
    """A key as a path writes it, without what no database stores."""
    return UNSTORABLE.sub("", escape_key(key))


def _read_paths(recipe: Recipe) -> set[str]:
    paths: set[str] = set()
    if recipe.together is not None:
        paths.add(_join("", recipe.together))
    paths |= _fields([condition.at for condition in recipe.where], [""])
    paths |= {_plain(joined.by) for joined in recipe.joined}
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
