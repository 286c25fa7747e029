"""Rows of a file into responses, as a recipe says."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby, islice
from typing import Any

from annotate.corpus.locate import locate_everywhere
from annotate.corpus.recipe import (
    EvidenceRule,
    LabelRule,
    Outcome,
    PassageRule,
    Recipe,
    ResponseRule,
    Settling,
    SpanRule,
    UnitRule,
)
from annotate.corpus.recipe_fields import (
    Field,
    Path,
    Scope,
    key_of,
    name_of,
    named,
    read_filled,
    read_text,
    spell,
    storable,
)
from annotate.corpus.rows import (
    LONGEST_DOMAIN,
    LONGEST_INDEX,
    LONGEST_SUBJECT,
    LONGEST_TITLE,
    LONGEST_TOPIC,
    Card,
    FactRow,
    ImportedJudgement,
    ImportedReference,
    PassageRow,
    PromptRow,
    ReadRow,
    ResponseRow,
    SegmentRow,
    SourceRow,
    SpanRow,
)
from annotate.corpus.unread import details_of, read_keys
from annotate.models.values import ErrorType, Value
from core.errors import RowError, describe
from core.row_fields import Fields, check_list, check_text, plain_value

MOST_NAMED = 12
# Characters of a label in the name of a kind of faults.
LONGEST_KIND = 40
# Rows that are one response together are held in memory.
MOST_TOGETHER = 10_000
# The key of `extra` under which stands what the file says besides.
KEPT = "kept"


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """A claim or segment. judged: None where it has no gold; evidence: what then has no judgement to stand with.
    passages: what a claim against a source is judged by."""

    text: str
    judged: ImportedJudgement | None
    extra: Mapping[str, Any]
    evidence: tuple[Card, ...]
    passages: tuple[PassageRow, ...] = ()


def map_rows(recipe: Recipe, rows: Iterator[SourceRow], subject: str) -> Iterator[ReadRow]:
    """The responses of the rows that the recipe takes, each with the number of its (first) row; in place of what is not
    sound its fault."""
    read = read_keys(recipe)
    for numbers, group in _groups(recipe, rows):
        if isinstance(group, RowError):
            yield numbers[0], _in_rows(group, numbers)
            continue
        try:
            found = [each for rule in recipe.responses for each in _responses(recipe, rule, group, subject)]
        except RowError as error:
            yield numbers[0], _in_rows(error, numbers)
            continue
        details, left_out = details_of(group, read)
        for response in found:
            yield numbers[0], replace(response, details=details, warnings=(*response.warnings, *left_out))


def _in_rows(error: RowError, numbers: Sequence[int]) -> RowError:
    error.rows = numbers
    return error


def _groups(recipe: Recipe, rows: Iterator[SourceRow]) -> Iterator[tuple[Sequence[int], Sequence[Fields] | RowError]]:
    """The rows of one response together, with their numbers."""
    together = recipe.together
    if together is None:
        for number, row in rows:
            yield (number,), row if isinstance(row, RowError) else (row,)
        return

    def group_of(row: SourceRow) -> str | RowError:
        try:
            return row[1] if isinstance(row[1], RowError) else spell(together.read(Scope(row[1])))
        except RowError as error:
            return error

    for key, members in groupby(rows, group_of):
        found = list(islice(members, MOST_TOGETHER + 1))
        numbers = [number for number, _ in found]
        if isinstance(key, RowError):
            yield numbers, key
        elif len(found) > MOST_TOGETHER:
            yield numbers, RowError(f"more than {MOST_TOGETHER:,} rows have the same {together.text}")
        else:
            yield numbers, [row for _, row in found if not isinstance(row, RowError)]


def _responses(recipe: Recipe, rule: ResponseRule, rows: Sequence[Fields], subject: str) -> Iterator[ResponseRow]:
    scope = Scope(rows[0], rows=rows)
    index = "" if recipe.together is None else spell(recipe.together.read(scope))
    for item in [scope] if rule.each is None else rule.each.scopes(scope):
        yield _response(rule, replace(item, notes=[]), subject, index)
    for row in rows[1:]:
        _check_same(rule, scope, Scope(row))


def _check_same(rule: ResponseRule, first: Scope, other: Scope) -> None:
    """Rows that are one response together repeat its prompt and its text."""
    for field in (rule.prompt, rule.text):
        if field is not None and field.read(first) != field.read(other):
            raise RowError(f"{name_of(field)} is not the same in all rows of the response")


def _response(rule: ResponseRule, scope: Scope, subject: str, index: str) -> ResponseRow:
    """index: that of a response for which the rule names none, "" where there is none either."""
    segments, claims, spans = _claims_and_passages(rule, scope) if rule.of_claims else _units(rule, scope)
    loose = [card for unit in (*segments, *claims) for card in unit.evidence] if rule.sentences is None else []
    sentences: tuple[SegmentRow, ...] | None = None
    if rule.sentences is not None:
        sentences, loose = _sentences(rule, scope)
    elif rule.of_claims:
        sentences = tuple(_claim(unit) for unit in segments)
    elif rule.segments or rule.label:
        sentences = tuple(SegmentRow(unit.text, _of_segment(unit.judged), extra=unit.extra) for unit in segments)
    index = check_text(read_text(rule.index, scope) or index, "the index", LONGEST_INDEX)
    row = ResponseRow(
        index=index or None,
        prompt=PromptRow(
            text="" if rule.prompt is None else read_filled(rule.prompt, scope),
            domain=read_text(rule.domain, scope, LONGEST_DOMAIN),
            source=read_text(rule.source, scope),
            topic=read_text(rule.topic, scope, LONGEST_TOPIC),
        ),
        text=read_filled(rule.text, scope),
        segments=sentences,
        claims=tuple(FactRow(unit.text, unit.judged, unit.extra) for unit in claims),
        spans=spans,
        elsewhere=_elsewhere(rule.spans),
        references=_references([*_evidence(rule.evidence, scope), *loose]),
        subject=read_text(rule.model, scope, LONGEST_SUBJECT) or subject,
        extra=_extra(_kept(rule.keep, scope)),
        content_hash="",
        warnings=tuple(dict.fromkeys(scope.notes)),
    )
    return row.with_hash(_hash(row))


def _units(rule: ResponseRule, scope: Scope) -> tuple[Sequence[ReadUnit], Sequence[ReadUnit], tuple[SpanRow, ...]]:
    """Segments, claims and spans of a response; a response that is judged as a whole is one segment."""
    if rule.segments is not None:
        segments = [_unit(rule.segments, item) for item in rule.segments.each.scopes(scope)]
        if not segments:
            raise RowError(f"{rule.segments.each.name}s: the response has none")
        return segments, (), ()
    if rule.label is not None:
        judged, said = _judge(rule.label, scope, "", ())
        return [ReadUnit(read_filled(rule.text, scope), judged, _extra(said), ())], (), ()
    if rule.claims is not None:
        return (), [_unit(rule.claims, item) for item in rule.claims.each.scopes(scope)], ()
    if rule.spans is not None:
        text = read_filled(rule.text, scope)
        return (), (), tuple(_span(rule.spans, item, text) for item in rule.spans.each.scopes(scope))
    return (), (), ()


def _claims_and_passages(rule: ResponseRule, scope: Scope) -> tuple[Sequence[ReadUnit], tuple[()], tuple[()]]:
    """The claims of a response with their passages, or the response as the one claim; those of the response belong to
    each of them."""
    shared = tuple(_read_passages(rule.passages, scope))
    if rule.claims is not None:
        units = [_unit(rule.claims, item, of_claims=True) for item in rule.claims.each.scopes(scope)]
        if not units:
            raise RowError(f"{rule.claims.each.name}s: the response has none")
        return [replace(unit, passages=unit.passages + shared) for unit in units], (), ()
    judged, said = _judge(rule.label, scope, "", (), of_claims=True) if rule.label else (None, {})
    return [ReadUnit(read_filled(rule.text, scope), judged, _extra(said), (), shared)], (), ()


def _claim(unit: ReadUnit) -> SegmentRow:
    return SegmentRow(unit.text, unit.judged, extra=unit.extra, passages=tuple(dict.fromkeys(unit.passages)))


def _sentences(rule: ResponseRule, scope: Scope) -> tuple[tuple[SegmentRow, ...], list[Card]]:
    """Sentences with their claims, and the evidence of claims without gold."""
    assert rule.sentences is not None  # noqa: S101 - the caller has seen to it
    rows, loose = [], []
    for sentence in rule.sentences.each.scopes(scope):
        claims = [_unit(rule.sentences.claims, item) for item in rule.sentences.claims.each.scopes(sentence)]
        facts = tuple(FactRow(claim.text, claim.judged, claim.extra) for claim in claims)
        text, kept = read_text(rule.sentences.text, sentence), _extra(_kept(rule.sentences.keep, sentence))
        rows.append(SegmentRow(text, human_facts=facts, extra=kept))
        loose += [card for claim in claims for card in claim.evidence]
    if not rows:
        raise RowError("the response has no sentence")
    return tuple(rows), loose


def _unit(rule: UnitRule, scope: Scope, of_claims: bool = False) -> ReadUnit:
    passages = tuple(_read_passages(rule.passages, scope))
    cards = tuple(_evidence(rule.evidence, scope))
    reason = read_text(rule.reason, scope)
    text = read_filled(rule.text, scope)
    if rule.label is None:
        return ReadUnit(text, None, _extra(_kept(rule.keep, scope)), cards, passages)
    judged, said = _judge(rule.label, scope, reason, cards, of_claims)
    kept = _extra({**said, **_kept(rule.keep, scope)})
    return ReadUnit(text, judged, kept, () if judged else cards, passages)


def _judge(
    rule: LabelRule, scope: Scope, reason: str, cards: tuple[Card, ...], of_claims: bool = False
) -> tuple[ImportedJudgement | None, dict[str, Any]]:
    """The unit's gold, None where there is none, and what the file said of it."""
    said = rule.at.read(scope)
    name = named(scope.place, name_of(rule.at))
    decided = _decided_by_another(rule, scope)
    if decided is not None:
        outcome = decided
    elif rule.settle is None:
        if isinstance(said, list | dict):
            raise RowError(f"{name} is {describe(said)}: of several labels the recipe must say how they settle")
        outcome = _outcome(rule, said, name)
    else:
        outcome = _settled(rule, check_list(said, name), name)
    extra: dict[str, Any] = {"label": storable(said, scope, name_of(rule.at))}
    if not outcome.is_gold(of_claims):
        return None, {**extra, "outcome": outcome.value}
    return ImportedJudgement(outcome.value, reason=reason, cards=cards), extra


def _decided_by_another(rule: LabelRule, scope: Scope) -> Outcome | None:
    """What another field makes of it in place of the label; None where none does."""
    found = (_named_outcome(values, spell(field.read(scope))) for field, values in rule.unless)
    return next((outcome for outcome in found if outcome is not None), None)


def _named_outcome(values: Mapping[str, Outcome], spelling: str) -> Outcome | None:
    """None where the values do not name it, nor one that is written otherwise."""
    if spelling in values:
        return values[spelling]
    alike = {outcome for value, outcome in values.items() if plain_value(value) == plain_value(spelling)}
    return alike.pop() if len(alike) == 1 else None


def _outcome(rule: LabelRule, said: object, name: str) -> Outcome:
    spelling = spell(said)
    outcome = _named_outcome(rule.values, spelling)
    if outcome is None:
        known = ", ".join(describe(value) for value in list(rule.values)[:MOST_NAMED])
        value = describe(said if isinstance(said, str) else spelling)
        cause = f"the recipe does not say what the label {value} is ({name}); it names {known}"
        raise RowError(cause, f"label {spelling[:LONGEST_KIND]}", label=spelling)
    return outcome


def _settled(rule: LabelRule, said: Sequence[object], name: str) -> Outcome:
    """What the annotators who gave a label agree on, as the rule asks; else no label."""
    outcomes = Counter(_outcome(rule, each, name) for each in said)
    del outcomes[Outcome.NO_LABEL]
    if not outcomes:
        return Outcome.NO_LABEL
    (first, count), *_ = outcomes.most_common(1)
    needed = outcomes.total() if rule.settle == Settling.UNANIMOUS else outcomes.total() // 2 + 1
    return first if count >= needed else Outcome.NO_LABEL


def _span(rule: SpanRule, scope: Scope, text: str) -> SpanRow:
    start, end = _stretch(rule, scope, text)
    judged, said = _judge(rule.label, scope, "", ())
    return SpanRow(start, end, _of_segment(judged), _extra({**said, **_kept(rule.keep, scope)}))


def _stretch(rule: SpanRule, scope: Scope, text: str) -> tuple[int, int]:
    """Its offsets in the text."""
    quoted = read_text(rule.text, scope)
    if rule.at is None:
        places = locate_everywhere(text, quoted)
        if len(places) != 1:
            found = "several times" if places else "nowhere"
            raise RowError(f"{scope.place}, {describe(quoted)}, stands {found} in the response")
        return places[0]
    start, end = (_offset(path, scope, len(text)) for path in rule.at)
    if start >= end:
        raise RowError(f"{scope.place} ends before it begins")
    if quoted and quoted != text[start:end]:
        raise RowError(f"{named(scope.place, name_of(rule.text or rule.at[0]))} is not what stands at its offsets")
    return start, end


def _offset(path: Path, scope: Scope, length: int) -> int:
    offset = path.read(scope)
    if not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset <= length:
        raise RowError(f"{named(scope.place, path.text)} must be a whole number from 0 to the length of the text")
    return offset


def _elsewhere(rule: SpanRule | None) -> ImportedJudgement | None:
    if rule is None or not rule.elsewhere.is_gold():
        return None
    return _of_segment(ImportedJudgement(rule.elsewhere.value))


def _of_segment(judged: ImportedJudgement | None) -> ImportedJudgement | None:
    """In the scheme of segments an irrelevant one has the error type of this name (docs/statistics.md)."""
    if judged is None or judged.value != Value.IRRELEVANT:
        return judged
    return replace(judged, error_type=ErrorType.IRRELEVANT.value)


def _evidence(rules: Sequence[EvidenceRule], scope: Scope) -> Iterator[Card]:
    for rule in rules:
        for item in [scope] if rule.each is None else rule.each.scopes(scope):
            text = _passage(rule.text, item)
            url = read_text(rule.url, item)
            if text.strip() in rule.skip or not (text.strip() or url):
                continue
            yield Card(url, text.strip(), _stance(rule, item))


def _read_passages(rules: Sequence[PassageRule], scope: Scope) -> Iterator[PassageRow]:
    for rule in rules:
        for item in [scope] if rule.each is None else rule.each.scopes(scope):
            text, title, url = (_passage(field, item).strip() for field in (rule.text, rule.title, rule.url))
            if text and text not in rule.skip:
                yield PassageRow(text, check_text(title, "the title of a passage", LONGEST_TITLE), url)


def _passage(field: Field | None, scope: Scope) -> str:
    """A text from elsewhere, such as a web page: it may hold what cannot be stored."""
    value = None if field is None else field.read(scope)
    if field is None or not isinstance(value, str):
        return read_text(field, scope)
    return str(storable(value, scope, name_of(field)))


def _stance(rule: EvidenceRule, scope: Scope) -> str:
    if rule.stance is None:
        return ""
    said = rule.stance.read(scope)
    if (spelling := spell(said)) not in rule.stances:
        name = named(scope.place, name_of(rule.stance))
        value = describe(said if isinstance(said, str) else spelling)
        raise RowError(f"the recipe does not say what the stance {value} is ({name})")
    return rule.stances[spelling]


def _references(cards: Sequence[Card]) -> tuple[ImportedReference, ...]:
    """Each once, in their order."""
    distinct = dict.fromkeys((card.url, card.text) for card in cards)
    return tuple(ImportedReference(url or None, text or None) for url, text in distinct)


def _kept(paths: Sequence[Path], scope: Scope) -> dict[str, Any]:
    """By the last key of each path; what is missing is left out."""
    found = {key_of(path): storable(path.read(scope), scope, path.text) for path in paths}
    return {key: value for key, value in found.items() if value is not None}


def _extra(said: dict[str, Any]) -> dict[str, Any]:
    """As `extra` holds it."""
    return {KEPT: said} if said else {}


def _hash(row: ResponseRow) -> str:
    """SHA-256 of all that the recipe took from the row."""

    def plain(value: Any) -> Any:
        # Without these a row is the same as in datasets that were imported before there were any.
        return [getattr(value, name) for name in value.__slots__ if name not in ("language", "details")]

    content = json.dumps(plain(row), default=plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return sha256(content.encode()).hexdigest()


def describe_label(extra: Mapping[str, Any]) -> str:
    """What the file says of a unit without gold: its label and the outcome; "" for a unit that has gold."""
    kept = extra.get(KEPT, {})
    if "outcome" not in kept:
        return ""
    return f"{kept['outcome'].replace('_', ' ')} ({spell(kept['label'])})"
