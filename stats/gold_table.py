"""Gold as plain columns, from which statistics, metrics and intervals are computed.

Rows refer to each other by their place in the columns, counted from 0.

References
----------
docs/statistics.md, Values of a judgement.
"""

from dataclasses import dataclass

from stats.arrays import Flags, Ints, Texts, number

# The code of a value is its place here; a unit without gold has NO_GOLD.
VALUES = ("supported", "not_supported", "irrelevant", "not_enough_evidence")
SUPPORTED, NOT_SUPPORTED, IRRELEVANT, NOT_ENOUGH_EVIDENCE = range(4)
# Those of every scheme; the others are of claims only.
SHARED_VALUES = VALUES[:NOT_ENOUGH_EVIDENCE]
NO_GOLD = -1


@dataclass(frozen=True)
class PromptColumns:
    """Prompts of the dataset's responses, in the order in which responses first use them."""

    domain: Texts
    source: Texts
    frequency: Texts
    nationality: Texts


@dataclass(frozen=True)
class ResponseColumns:
    """Responses in their order.

    Attributes
    ----------
    key : primary key
    prompt : row of its prompt
    abstained : the subject model declined to answer
    removed : it is out of the dataset; its units have no gold, and it counts in no statistics
    words : as FELM counts them
    """

    key: Ints
    index: Texts
    prompt: Ints
    subject: Texts
    abstained: Flags
    removed: Flags
    words: Ints


@dataclass(frozen=True)
class SegmentColumns:
    """Segments in reading order; `irrelevant`: gold says so of the whole sentence (FActScore)."""

    key: Ints
    response: Ints
    position: Ints
    irrelevant: Flags


@dataclass(frozen=True)
class UnitColumns:
    """Judged units in reading order: segments (FELM), claims, or the judged facts under segments (FActScore).

    Attributes
    ----------
    segment : row of its segment
    fact, position : key of the fact and its place in the segment, both −1 for segments
    value : a code of VALUES, or NO_GOLD; the facts of a sentence that is irrelevant as a whole are irrelevant
    error_type : "" where there is none
    source : origin of the gold (GoldLabel.Source), "" without gold
    """

    segment: Ints
    fact: Ints
    position: Ints
    value: Ints
    error_type: Texts
    source: Texts


@dataclass(frozen=True)
class GoldTable:
    """Gold of a dataset; `of_facts`: the scheme judges facts, not segments; `of_claims`: claims, each a segment."""

    of_facts: bool
    prompts: PromptColumns
    responses: ResponseColumns
    segments: SegmentColumns
    units: UnitColumns
    of_claims: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the scheme, in the order of their codes."""
        return VALUES if self.of_claims else SHARED_VALUES

    @property
    def response_of_unit(self) -> Ints:
        return self.segments.response[self.units.segment]

    @property
    def prompt_of_unit(self) -> Ints:
        return self.responses.prompt[self.response_of_unit]

    @property
    def strata(self) -> Ints:
        """Stratum of each prompt: its frequency class (FActScore) or its domain."""
        return number(self.prompts.frequency if self.of_facts else self.prompts.domain)[1]
