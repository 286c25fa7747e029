"""A recipe: how the rows of a file become responses, and its labels values of a judgement (docs/recipes.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotate.corpus.recipe_fields import (
    Condition,
    Each,
    Field,
    Filtered,
    Items,
    Nested,
    Path,
    Scope,
    Several,
    ValuesOf,
    Zipped,
)
from annotate.models import Scheme
from annotate.models.values import Value


class Outcome(StrEnum):
    """What a recipe makes of a file's label. The first three become gold, and of claims against a source also
    `not_enough_evidence`; a unit with one of the others has none, and keeps what was said of it in `extra`."""

    SUPPORTED = Value.SUPPORTED.value
    NOT_SUPPORTED = Value.NOT_SUPPORTED.value
    IRRELEVANT = Value.IRRELEVANT.value
    NOT_ENOUGH_EVIDENCE = Value.NOT_ENOUGH_EVIDENCE.value
    NOT_CHECKWORTHY = "not_checkworthy"
    NO_LABEL = "no_label"

    @property
    def words(self) -> str:
        """For people: "Not enough evidence"."""
        return self.value.replace("_", " ").capitalize()

    def is_gold(self, of_claims: bool = False) -> bool:
        """of_claims: in the scheme of claims."""
        return self.value in Value.values and (of_claims or self is not Outcome.NOT_ENOUGH_EVIDENCE)


class Settling(StrEnum):
    """How several annotators' labels of one unit become one: where they do not settle it, it has no label."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"


@dataclass(frozen=True, slots=True)
class LabelRule:
    """at: the label, or where `settle` says how, a list of several annotators' labels or what gives one. values: its
    spelling → outcome; one that is not among them is an error. A constant label has no values. unless: other fields,
    with the spellings for which they decide in place of the label."""

    at: Field | Several
    values: Mapping[str, Outcome]
    settle: Settling | None = None
    unless: tuple[tuple[Field, Mapping[str, Outcome]], ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRule:
    """What a unit or a response is judged by. each: None where it is one. stances: spelling → Stance, "" for none.
    skip: texts that say that there is no evidence."""

    each: Items | None
    text: Field | None
    url: Field | None
    stance: Field | None
    stances: Mapping[str, str]
    skip: frozenset[str]


@dataclass(frozen=True, slots=True)
class PassageRule:
    """What claims are judged by, as EvidenceRule; passages without a text are passed over."""

    each: Items | None
    text: Field
    title: Field | None
    url: Field | None
    skip: frozenset[str]


@dataclass(frozen=True, slots=True)
class UnitRule:
    """The claims or segments of a response. label: None where the file judges nothing of them. passages: of claims
    against a source."""

    each: Items
    text: Field
    label: LabelRule | None = None
    reason: Field | None = None
    evidence: tuple[EvidenceRule, ...] = ()
    passages: tuple[PassageRule, ...] = ()
    keep: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceRule:
    """Sentences that hold their claims."""

    each: Items
    text: Field
    claims: UnitRule
    keep: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class SpanRule:
    """Stretches of the response: by `at`, their offsets in characters, [start, end), or, where that is None, by their
    text, which must stand in the response once. A sentence that one touches has its label, the others have the outcome
    `elsewhere`."""

    each: Items
    at: tuple[Path, Path] | None
    text: Field | None
    label: LabelRule
    elsewhere: Outcome
    keep: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class ResponseRule:
    """One kind of response that a row holds: at most one of claims, sentences, segments, spans and label is given.

    each: None where the row is the response. keep: what else of the row is kept. of_claims: the scheme is that of
    claims; a response without `claims` is itself the claim, `passages` are those of all its claims, and it may be that
    nobody was asked (prompt is None).
    """

    each: Items | None
    prompt: Field | None
    text: Field
    index: Field | None = None
    model: Field | None = None
    domain: Field | None = None
    source: Field | None = None
    topic: Field | None = None
    evidence: tuple[EvidenceRule, ...] = ()
    passages: tuple[PassageRule, ...] = ()
    keep: tuple[Path, ...] = ()
    claims: UnitRule | None = None
    sentences: SentenceRule | None = None
    segments: UnitRule | None = None
    spans: SpanRule | None = None
    label: LabelRule | None = None
    of_claims: bool = False

    @property
    def scheme(self) -> Scheme:
        if self.of_claims:
            return Scheme.CLAIMS
        return Scheme.FACTSCORE if self.claims or self.sentences else Scheme.FELM


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """Another file of the folder whose rows complete those of the first: by is the key of the first, there the other
    file's key of the same values. A key that both have otherwise keeps the value of the first."""

    file: str
    by: str
    there: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """document: the JSON that it was read from. together: of rows that follow one another those with the same value
    are one response. rows: the key of the file's one object that holds the rows. where: rows for which one of these
    does not hold are passed over. file: which one of a folder has the rows, joined: those that complete them."""

    document: Mapping[str, object]
    title: str
    responses: tuple[ResponseRule, ...]
    about: str = ""
    tested: bool = True
    format: str = ""
    rows: str = ""
    together: Path | None = None
    where: tuple[Condition, ...] = ()
    file: str = ""
    joined: tuple[JoinedFile, ...] = ()

    @property
    def scheme(self) -> Scheme:
        return self.responses[0].scheme

    def takes(self, row: dict[str, Any]) -> bool:
        """Whether its conditions hold for the row. RowError: that cannot be said."""
        return all(condition.holds(Scope(row)) for condition in self.where)

    @property
    def lists(self) -> tuple[str, ...]:
        """The columns of a table whose cells hold lists."""
        return tuple(dict.fromkeys(self._list_columns()))

    def _list_columns(self) -> Iterator[str]:
        for rule in self.responses:
            yield from _columns(rule.each)
            if rule.each is not None:
                continue
            for unit in (rule.claims, rule.sentences, rule.segments, rule.spans, *rule.evidence, *rule.passages):
                yield from _columns(unit.each if unit else None)
            yield from _label_column(rule.label)
            if self.together and rule.claims:
                yield from _label_column(rule.claims.label)


def _columns(items: Items | None) -> Iterator[str]:
    """The first keys of the paths of what is gone through, in the row itself."""
    match items:
        case Filtered(items=inner):
            yield from _columns(inner)
        case Each(path=path):
            yield from path.keys[:1]
        case Nested(levels=levels):
            yield from levels[0].path.keys[:1]
        case Zipped(lists=lists):
            yield from (path.keys[0] for _, path in lists if path.keys)


def _label_column(label: LabelRule | None) -> Iterator[str]:
    if label and isinstance(label.at, ValuesOf):
        yield from _columns(label.at.each)
    elif label and label.settle and isinstance(label.at, Path):
        yield from label.at.keys[:1]
