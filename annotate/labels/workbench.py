"""What the workbench shows: each unit with what was said of it so far."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotate.labels.draft import is_judged
from annotate.labels.judgement import Judgement
from annotate.labels.units import Reading, Sentence, Unit
from annotate.models import Dataset, ErrorType, Response, Scheme, Value


@dataclass(frozen=True)
class Choice:
    """A value as a button: its letter, its word, and the key that chooses it."""

    value: str
    letter: str
    word: str
    digit: int


@dataclass(frozen=True)
class Row:
    """A unit on the page. `number` is "3" for a segment, "3.2" for a fact; `choices` is empty for a mere heading."""

    unit: Unit
    number: str
    judgement: Judgement
    choices: tuple[Choice, ...]
    open: bool

    @property
    def key(self) -> str:
        return self.unit.key

    @property
    def letter(self) -> str:
        return letter_of(self.judgement.value)

    @property
    def references(self) -> str:
        """As the text field holds them: one a line."""
        return "\n".join(reference.url for reference in self.judgement.references)


@dataclass(frozen=True)
class Panel:
    """A response with the rows of its units, in reading order."""

    response: Response
    rows: tuple[Row, ...]


SUPPORTED = Choice(Value.SUPPORTED, "S", "Supported", 1)
ERROR = Choice(Value.NOT_SUPPORTED, "E", "Error", 2)
NOT_SUPPORTED = Choice(Value.NOT_SUPPORTED, "E", "Not supported", 2)
IRRELEVANT = Choice(Value.IRRELEVANT, "I", "Irrelevant", 3)


def letter_of(value: str) -> str:
    return {choice.value: choice.letter for choice in (SUPPORTED, ERROR, IRRELEVANT)}.get(value, "")


def choices_of(dataset: Dataset) -> tuple[Choice, ...]:
    return (SUPPORTED, ERROR if dataset.scheme == Scheme.FELM else NOT_SUPPORTED, IRRELEVANT)


def error_types_of(dataset: Dataset) -> list[str]:
    """The types an error can have; irrelevant is a button of its own, and FActScore knows none."""
    if dataset.scheme == Scheme.FACTSCORE:
        return []
    return [each for each in dataset.error_types if each != ErrorType.IRRELEVANT]


def panels(dataset: Dataset, readings: Iterable[Reading], draft: Mapping[str, Judgement]) -> list[Panel]:
    choices = choices_of(dataset)
    return [
        Panel(
            reading.response,
            tuple(
                row
                for number, sentence in enumerate(reading.sentences, start=1)
                for row in _rows(sentence, number, draft, choices)
            ),
        )
        for reading in readings
    ]


def _rows(
    sentence: Sentence, number: int, draft: Mapping[str, Judgement], choices: tuple[Choice, ...]
) -> Sequence[Row]:
    def row(unit: Unit, label: str, offered: tuple[Choice, ...]) -> Row:
        is_open = unit.required and not is_judged(unit, sentence, draft)
        return Row(unit, label, draft.get(unit.key, Judgement()), offered, is_open)

    whole = row(sentence.whole, str(number), choices if sentence.whole.required else (IRRELEVANT,))
    facts = [row(unit, f"{number}.{place}", choices) for place, unit in enumerate(sentence.facts, start=1)]
    return [whole, *facts]


@dataclass(frozen=True)
class Difference:
    """An address at which the page and the stored draft disagree."""

    row: Row
    mine: Judgement
    stored: Judgement


def differences(
    dataset: Dataset, readings: Iterable[Reading], mine: Mapping[str, Judgement], stored: Mapping[str, Judgement]
) -> list[Difference]:
    nothing = Judgement()
    return [
        Difference(row, mine.get(row.key, nothing), stored.get(row.key, nothing))
        for panel in panels(dataset, readings, mine)
        for row in panel.rows
        if mine.get(row.key, nothing) != stored.get(row.key, nothing)
    ]
