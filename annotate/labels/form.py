"""The plain form, for browsers without a script: each address has fields of its own, references are links."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from annotate.judgements.entries import (
    COMMENT_KEY,
    Comment,
    Correction,
    Draft,
    Entry,
    ResponseVerdict,
    correction_key,
    judgement_at,
    verdict_key,
)
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading, Sentence
from annotate.models import Scheme, Value

# How the names of its fields of text begin.
TEXTS = (COMMENT_KEY, "reason-", "references-", "edit-", "note-")


class FormError(ValueError):
    """A form that no page of ours has sent."""


def read_entries(
    posted: Mapping[str, str], readings: Iterable[ResponseReading], stored: Mapping[str, Entry], keys: PageKeys
) -> Draft:
    """The form's entry at each address of the task, by draft key; its fields are named by the page's `keys`.

    It shows a card as one line: `stored` is the draft whose cards those lines stand for.
    """
    entries: Draft = {COMMENT_KEY: Comment(_text(posted, COMMENT_KEY))}
    for reading in readings:
        for unit in reading.units():
            entries[unit.key] = _judgement(posted, keys.of(unit.key), judgement_at(stored, unit.key).references)
        if reading.response.dataset.scheme == Scheme.FACTSCORE:
            for sentence in reading.sentences:
                entries |= _correction(posted, keys, sentence)
        else:
            entries |= _verdict(posted, keys, verdict_key(reading.response.pk))
    return entries


def read_version(posted: Mapping[str, str]) -> int:
    """The version of the draft that the page had seen."""
    version = _version(posted, "version")
    if version is None:
        raise FormError("The form does not say which version of the draft it changes")
    return version


def read_guideline(posted: Mapping[str, str]) -> int | None:
    """The version of the guidelines on the page; None if it does not say."""
    return _version(posted, "guideline")


def _version(posted: Mapping[str, str], name: str) -> int | None:
    sent = posted.get(name, "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= 9 else None


def line_of(reference: CitedReference) -> str:
    """The card as one line of the form."""
    return reference.url or f"document {reference.document}"


def _judgement(posted: Mapping[str, str], key: str, cards: Iterable[CitedReference]) -> UnitJudgement:
    value = posted.get(f"value-{key}", "")
    # A type chosen before the value was changed is still in the form; it belongs to errors only.
    error_type = posted.get(f"type-{key}", "") if value in ("", Value.NOT_SUPPORTED) else ""
    return UnitJudgement(
        value=value,
        error_type=error_type,
        irrelevance=posted.get(f"irrelevance-{key}", "") if value == Value.IRRELEVANT else "",
        reason=_text(posted, f"reason-{key}"),
        references=_references(posted.get(f"references-{key}", ""), cards),
        flagged=f"flagged-{key}" in posted,
        mark=posted.get(f"mark-{key}", ""),
        mark_note=_text(posted, f"note-{key}") if posted.get(f"mark-{key}") else "",
    )


def _references(lines: str, cards: Iterable[CitedReference]) -> tuple[CitedReference, ...]:
    """A card a line; a line that was there before still is the same card."""
    known: defaultdict[str, list[CitedReference]] = defaultdict(list)
    for card in cards:
        known[line_of(card)].append(card)
    written = [line.strip() for line in lines.splitlines() if line.strip()]
    return tuple(known[line].pop(0) if known[line] else CitedReference(line) for line in written)


def _correction(posted: Mapping[str, str], keys: PageKeys, sentence: Sentence) -> Draft:
    """The sentence's correction, if the form's text of it differs from the sentence."""
    segment = sentence.whole.segment
    as_it_is = plain_lines(segment.text)
    text = _text(posted, f"edit-{keys.of(sentence.whole.key)}", as_it_is)
    return {correction_key(segment.pk): Correction(text)} if text != as_it_is else {}


def _verdict(posted: Mapping[str, str], keys: PageKeys, key: str) -> Draft:
    name = keys.of(key)
    keep = {"yes": True, "no": False}.get(posted.get(name, ""))
    return {} if keep is None else {key: ResponseVerdict(keep, _text(posted, f"reason-{name}"))}


def _text(posted: Mapping[str, str], name: str, default: str = "") -> str:
    return plain_lines(posted.get(name, default))


def plain_lines(text: str) -> str:
    """The text as a field of a page has it: a page knows one end of a line, and sends it as carriage return and line
    feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
