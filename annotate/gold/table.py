"""Gold as plain columns: what statistics, metrics and intervals are computed from (no database).

Rows refer to each other by their place in the columns, counted from 0.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Texts = NDArray[np.object_]

# The code of a value is its place here; a unit without gold has NO_GOLD.
VALUES = ("supported", "not_supported", "irrelevant")
SUPPORTED, NOT_SUPPORTED, IRRELEVANT = range(3)
NO_GOLD = -1


@dataclass(frozen=True)
class Prompts:
    """The prompts of the dataset's responses, in the order in which responses first use them."""

    domain: Texts
    source: Texts
    frequency: Texts
    nationality: Texts


@dataclass(frozen=True)
class Responses:
    """Responses in their order. `prompt`: row of its prompt; `key`: primary key; `words`: as FELM counts them.

    `removed`: from the data set; its units have no gold, and it counts in no statistics.
    """

    key: Ints
    index: Texts
    prompt: Ints
    subject: Texts
    abstained: Flags
    removed: Flags
    words: Ints


@dataclass(frozen=True)
class Segments:
    """Segments in reading order. `irrelevant`: gold says so of the whole sentence (FActScore)."""

    key: Ints
    response: Ints
    position: Ints
    irrelevant: Flags


@dataclass(frozen=True)
class Units:
    """What is judged, in reading order: segments (FELM), or the judged facts under them (FActScore).

    segment: row of its segment; fact, position: the fact's key and its place in the segment, both -1 for segments.
    value: a code of VALUES, or NO_GOLD. Facts of a sentence that is irrelevant as a whole are irrelevant.
    error_type: "" where there is none. source: how the gold came about (GoldLabel.Source), "" without gold.
    """

    segment: Ints
    fact: Ints
    position: Ints
    value: Ints
    error_type: Texts
    source: Texts


@dataclass(frozen=True)
class GoldTable:
    """A dataset's gold. `of_facts`: the scheme judges facts, not segments."""

    of_facts: bool
    prompts: Prompts
    responses: Responses
    segments: Segments
    units: Units

    @property
    def response_of_unit(self) -> Ints:
        return self.segments.response[self.units.segment]

    @property
    def prompt_of_unit(self) -> Ints:
        return self.responses.prompt[self.response_of_unit]

    @property
    def strata(self) -> Ints:
        """The stratum of each prompt: its frequency class (FActScore) or its domain.

        See docs/statistics.md, Intervals and tests.
        """
        return number(self.prompts.frequency if self.of_facts else self.prompts.domain)[1]


def number(texts: Texts) -> tuple[list[str], Ints]:
    """The different texts in the order of their first appearance, and the number of each row's."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(numbers, dtype=np.int64)
