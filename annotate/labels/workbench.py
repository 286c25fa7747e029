"""The contents of the workbench: each unit with its judgement so far."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from annotate.judgements.entries import (
    Correction,
    Entry,
    ResponseVerdict,
    correction_key,
    judgement_at,
    verdict_key,
)
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import LabelUnit, ResponseReading, Sentence
from annotate.judgements.word_diff import DiffPiece, additions, word_diff
from annotate.labels.choices import IRRELEVANT, ValueChoice, choices_of
from annotate.labels.cited import titles_of
from annotate.labels.draft import is_judged
from annotate.labels.form import line_of
from annotate.labels.suggested import ShownSuggestion
from annotate.models import Dataset, ErrorType, ReferenceLink, Response, Scheme

# By the keys of units.
Suggestions: TypeAlias = Mapping[str, ShownSuggestion]
NO_SUGGESTIONS: Suggestions = MappingProxyType({})


@dataclass(frozen=True)
class UnitRow:
    """A unit on the page. `number` is "3" for a segment, "3.2" for a fact; `correction` is its sentence made right.

    `key` is the page's for the unit, `sentence` that for its sentence as a whole.
    """

    unit: LabelUnit
    key: str
    sentence: str
    number: str
    judgement: UnitJudgement
    choices: tuple[ValueChoice, ...]
    open: bool
    correction: Correction | None = None
    titles: Mapping[int, str] = field(default_factory=dict)
    suggestion: ShownSuggestion | None = None

    @property
    def references(self) -> str:
        """As the text field holds them: one a line."""
        return "\n".join(line_of(reference) for reference in self.judgement.references)

    @property
    def cards(self) -> list[tuple[CitedReference, str]]:
        """Each with the title of its document, "" where it has none."""
        return [(card, self.titles.get(card.document or 0, "")) for card in self.judgement.references]

    @property
    def diff(self) -> list[DiffPiece]:
        """The correction of the sentence, word by word."""
        return word_diff(self.unit.text, self.correction.text) if self.correction else []

    @property
    def added(self) -> list[str]:
        return additions(self.diff)


@dataclass(frozen=True)
class Panel:
    """A response with the rows of its units, in reading order; `key` is the page's for the verdict on it."""

    response: Response
    key: str
    rows: tuple[UnitRow, ...]
    references: tuple[ReferenceLink, ...] = ()
    verdict: ResponseVerdict | None = None


def error_types_of(dataset: Dataset) -> list[str]:
    """The types an error can have; irrelevant is a button of its own, and only FELM knows others."""
    if dataset.scheme != Scheme.FELM:
        return []
    return [each for each in dataset.error_types if each != ErrorType.IRRELEVANT]


def panels(
    dataset: Dataset,
    readings: Iterable[ResponseReading],
    draft: Mapping[str, Entry],
    keys: PageKeys,
    suggestions: Suggestions = NO_SUGGESTIONS,
) -> list[Panel]:
    """Each response with the draft's entries."""
    choices, titles = choices_of(dataset.scheme), titles_of(draft)
    return [
        Panel(
            reading.response,
            keys.of(verdict_key(reading.response.pk)),
            tuple(
                row
                for sentence in reading.sentences
                for row in _rows(sentence, draft, choices, titles, keys, suggestions)
            ),
            reading.references,
            _verdict(draft, verdict_key(reading.response.pk)),
        )
        for reading in readings
    ]


def _rows(
    sentence: Sentence,
    draft: Mapping[str, Entry],
    choices: tuple[ValueChoice, ...],
    titles: Mapping[int, str],
    keys: PageKeys,
    suggestions: Suggestions,
) -> Sequence[UnitRow]:
    sentence_key = keys.of(sentence.whole.key)

    def row(unit: LabelUnit, label: str, offered: tuple[ValueChoice, ...]) -> UnitRow:
        is_open = unit.required and not is_judged(unit, sentence, draft)
        correction = draft.get(correction_key(unit.segment.pk)) if unit.fact is None else None
        corrected = correction if isinstance(correction, Correction) else None
        judgement = judgement_at(draft, unit.key)
        return UnitRow(
            unit,
            keys.of(unit.key),
            sentence_key,
            label,
            judgement,
            offered,
            is_open,
            corrected,
            titles,
            suggestions.get(unit.key),
        )

    whole = row(sentence.whole, str(sentence.number), choices if sentence.whole.required else (IRRELEVANT,))
    facts = [row(unit, f"{sentence.number}.{place}", choices) for place, unit in enumerate(sentence.facts, start=1)]
    return [whole, *facts]


def _verdict(draft: Mapping[str, Entry], key: str) -> ResponseVerdict | None:
    verdict = draft.get(key)
    return verdict if isinstance(verdict, ResponseVerdict) else None
