"""The levels at which evaluators are compared with gold: units rolled up to sentences and responses.

FELM's scheme and that of claims have segments and responses; FActScore's the judged facts of relevant sentences, those
sentences, and responses (docs/statistics.md, Error detection). Plain columns in and out.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from annotate.models import Scheme
from stats.arrays import Flags, Ints, Texts, number
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Decisions, Level, roll_up
from stats.gold_table import GoldTable

ESTIMATES, RECALL = "estimate", "recall"
# Titles by name; figures of subject models stand beside the levels.
LEVELS = {
    "fact": "Facts",
    "segment": "Segments",
    "response": "Whole responses",
    ESTIMATES: "Estimated FActScore",
    RECALL: "F1@K",
}
# The words of each scheme.
OF_SCHEME = {scheme.value: {"segment": scheme.segments.capitalize()} for scheme in Scheme}


def level_title(level: str, scheme: str) -> str:
    """The level in the words of a dataset's scheme."""
    return OF_SCHEME.get(scheme, {}).get(level, LEVELS[level])


# By code: supported, not supported, irrelevant, not enough evidence; and from the end NO_PREDICTION or NO_GOLD (-1),
# NOT_PARSED (-2).
DECISION_OF = np.array([CORRECT, ERROR, ERROR, ERROR, UNPARSED, MISSING], dtype=np.int8)


def decide(values: NDArray[np.integer]) -> Decisions:
    """Codes of values as decisions."""
    decisions: Decisions = DECISION_OF[values]
    return decisions


def gold_levels(table: GoldTable) -> list[Level]:
    """Each level with its gold, the smallest units first, in slices by subject (FActScore) or by domain."""
    slices, slice_of = number(slice_of_responses(table))
    gold = decisions_by_level(table, table.units.value)
    response_of = responses_by_level(table)
    return [
        Level(
            name=name,
            gold=gold[name],
            cluster=table.responses.prompt[response],
            slice=slice_of[response],
            slices=tuple(slices),
            slice_name="subject" if table.of_facts else "domain",
        )
        for name, response in response_of.items()
    ]


def slice_of_responses(table: GoldTable) -> Texts:
    """The name of each response's slice: its subject (FActScore) or its domain."""
    return table.responses.subject if table.of_facts else table.prompts.domain[table.responses.prompt]


def responses_by_level(table: GoldTable) -> dict[str, Ints]:
    """The row of the response that each unit of a level belongs to."""
    facts = {"fact": table.response_of_unit[judged_in_relevant(table)]} if table.of_facts else {}
    return {**facts, "segment": table.segments.response, "response": np.arange(len(table.responses.key))}


def decisions_by_level(
    table: GoldTable, units: NDArray[np.integer], segments: NDArray[np.integer] | None = None
) -> Mapping[str, Decisions]:
    """The decisions at each level, from codes of the table's units.

    segments: codes for whole sentences (FActScore), which prevail over those rolled up from their facts.
    """
    if not table.of_facts:
        of_segments = decide(units)
        return {"segment": of_segments, "response": _of_responses(table, of_segments, np.ones(len(units), np.bool_))}
    relevant = judged_in_relevant(table)
    facts, segment = decide(units[relevant]), table.units.segment[relevant]
    of_segments = roll_up(facts, segment, len(table.segments.key))
    if segments is not None:
        own = decide(segments)
        of_segments = np.where(own == MISSING, of_segments, own)
    with_facts = np.bincount(segment, minlength=len(of_segments)) > 0
    return {"fact": facts, "segment": of_segments, "response": _of_responses(table, of_segments, with_facts)}


def parts_by_level(table: GoldTable) -> dict[str, Ints]:
    """The number of units below each unit of a level."""
    relevant = judged_in_relevant(table)
    of_segments = np.bincount(table.units.segment[relevant], minlength=len(table.segments.key))
    of_responses = np.bincount(table.response_of_unit[relevant], minlength=len(table.responses.key))
    facts = {"fact": np.ones(int(relevant.sum()), dtype=np.int64)} if table.of_facts else {}
    return {**facts, "segment": of_segments, "response": of_responses}


def judged_in_relevant(table: GoldTable) -> Flags:
    """Which units count in error detection: not the facts of sentences that are irrelevant as a whole."""
    if not table.of_facts:
        return np.ones(len(table.units.segment), dtype=np.bool_)
    return ~table.segments.irrelevant[table.units.segment]


def _of_responses(table: GoldTable, of_segments: Decisions, counted: Flags) -> Decisions:
    return roll_up(of_segments[counted], table.segments.response[counted], len(table.responses.key))
