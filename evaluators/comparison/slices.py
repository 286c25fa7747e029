"""The ways in which the units of a level are parted: every figure is also given per slice.

See docs/statistics.md, Error detection.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluators.comparison.levels import judged_in_relevant, responses_by_level
from stats.arrays import Flags, Ints, Texts, number
from stats.gold_table import NO_GOLD, SUPPORTED, GoldTable

ALL = "all"
NO_SLICE = -1
BINS = 5  # of relative position: fact i of n falls in bin ⌊5i/n⌋ (docs/statistics.md, FActScore of a subject model)
LENGTHS = 4  # of responses: as many in each

ERROR_TYPE, SOURCE_OF_GOLD = "error_type", "gold"
ONLY_ERRORS = "Only errors have a type, so a slice by type holds no correct unit: it has a recall and nothing else."

POSITIONS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")
# In the order in which they prevail where parts of a whole differ: the largest does.
SOURCES = {"import": "came with the file", "unanimous": "annotators agreed", "adjudicated": "adjudicated"}


@dataclass(frozen=True)
class Slicing:
    """`of`: for each level at which it means something, the number of each unit's slice in `names`, or NO_SLICE.

    only_recall: why no figure but recall is defined in its slices; "" where all are.
    """

    name: str
    title: str
    names: tuple[str, ...]
    of: Mapping[str, Ints]
    only_recall: str = ""


def slicings(table: GoldTable) -> dict[str, Slicing]:
    """All slicings of the table's units, by name; a unit in none of a slicing's slices counts in "all"."""
    of_prompt, response = table.prompts, table.responses
    all_slicings = (
        _by_response(table, "domain", "Domain", of_prompt.domain[response.prompt]),
        _by_response(table, "source", "Source of the prompt", of_prompt.source[response.prompt]),
        _by_response(table, "subject", "Subject model", response.subject),
        _by_response(table, "frequency", "Frequency of the entity", of_prompt.frequency[response.prompt]),
        _by_response(table, "nationality", "Nationality of the entity", of_prompt.nationality[response.prompt]),
        _by_error_type(table),
        _by_position(table),
        _by_length(table),
        _by_source_of_gold(table),
    )
    return {slicing.name: slicing for slicing in all_slicings if slicing.names}


def _by_response(table: GoldTable, name: str, title: str, values: Texts) -> Slicing:
    names, numbers = _number(values)
    return Slicing(name, title, names, _spread(table, numbers))


def _number(values: Texts) -> tuple[tuple[str, ...], Ints]:
    """The names in the order of their first appearance, and each row's number; rows without a name have NO_SLICE."""
    named: Flags = values != ""
    names, numbers = number(values[named])
    placed = np.full(len(values), NO_SLICE, dtype=np.int64)
    placed[named] = numbers
    return tuple(names), placed


def _spread(table: GoldTable, of_response: Ints) -> dict[str, Ints]:
    return {level: of_response[response] for level, response in responses_by_level(table).items()}


def _by_error_type(table: GoldTable) -> Slicing:
    """Error types of units; a sentence of facts and a response have no one type."""
    error: Flags = (table.units.value != NO_GOLD) & (table.units.value != SUPPORTED)
    named: Texts = np.where(error, np.where(table.units.error_type == "", "no type given", table.units.error_type), "")
    has_types = bool((table.units.error_type[error] != "").any())
    names, numbers = _number(named) if has_types else ((), np.full(len(named), NO_SLICE, dtype=np.int64))
    return Slicing(ERROR_TYPE, "Type of error in gold", names, _of_units(table, numbers), ONLY_ERRORS)


def _of_units(table: GoldTable, numbers: Ints) -> dict[str, Ints]:
    return {"fact": numbers[judged_in_relevant(table)]} if table.of_facts else {"segment": numbers}


def _by_position(table: GoldTable) -> Slicing:
    of_segments = _fifths(table.segments.response)
    of: dict[str, Ints] = {"segment": of_segments}
    if table.of_facts:
        of = {"fact": _fifths(table.response_of_unit)[judged_in_relevant(table)], **of}
    return Slicing("position", "Position in the response", POSITIONS, of)


def _fifths(whole: Ints) -> Ints:
    """The bin of each part from its place among those of its whole; parts of a whole stand together."""
    sizes = np.bincount(whole)
    first = np.cumsum(sizes) - sizes
    fifths: Ints = BINS * (np.arange(len(whole)) - first[whole]) // sizes[whole]
    return fifths


def _by_length(table: GoldTable) -> Slicing:
    """Responses by their words, in quarters."""
    words = table.responses.words
    if not len(words):
        return Slicing("length", "Length of the response", (), {})
    ends = np.quantile(words, np.arange(1, LENGTHS) / LENGTHS, method="lower")
    _, numbers = np.unique(np.searchsorted(ends, words, side="left"), return_inverse=True)
    names = [_range(words[numbers == place]) for place in range(int(numbers.max()) + 1)]
    return Slicing("length", "Length of the response", tuple(names), _spread(table, numbers.astype(np.int64)))


def _range(words: Ints) -> str:
    return f"{words.min()} to {words.max()} words"


def _by_source_of_gold(table: GoldTable) -> Slicing:
    """A whole is adjudicated when any part of it is."""
    kinds = list(SOURCES)
    numbers = np.array([kinds.index(source) if source else NO_SLICE for source in table.units.source], dtype=np.int64)
    of: dict[str, Ints] = _of_units(table, numbers)
    if table.of_facts:
        of["segment"] = _largest(numbers, table.units.segment, len(table.segments.key))
    of["response"] = _largest(numbers, table.response_of_unit, len(table.responses.key))
    return Slicing(SOURCE_OF_GOLD, "Source of gold", tuple(SOURCES.values()), of)


def _largest(numbers: Ints, whole: Ints, wholes: int) -> Ints:
    largest = np.full(wholes, NO_SLICE, dtype=np.int64)
    np.maximum.at(largest, whole, numbers)
    return largest


def names_used(slicing: Slicing, level: str) -> Sequence[str]:
    """The slices that hold a unit of the level."""
    present = np.unique(slicing.of[level])
    return [slicing.names[place] for place in present if place != NO_SLICE]
