"""Sizes of a corpus as the papers' second tables give them.

References
----------
Chen et al. (2023), FELM, table 2; Min et al. (2023), FActScore, table 2. docs/statistics.md, Sizes.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from stats.arrays import Flags, Ints
from stats.boundaries import merged, split
from stats.gold_table import NO_GOLD, SUPPORTED, GoldTable


def words_of_response(text: str) -> int:
    """FELM's count: the pieces between single spaces."""
    return len(text.split(" "))


def words_of_sentence(text: str) -> int:
    """FActScore's tokens, separated by white space."""
    return len(text.split())


@dataclass(frozen=True)
class WordCounts:
    """Words of each response as FELM counts them, and of each segment as FActScore does, in the table's order."""

    responses: Ints
    segments: Ints


@dataclass(frozen=True)
class FactCounts:
    """Facts of each segment.

    Attributes
    ----------
    human, model : (S,) int
        Facts that people wrote, and a model.
    refined : (S,) bool
        People's facts are there, and the response has a model's that they can be made of.
    """

    human: Ints
    model: Ints
    refined: Flags


def slice_sizes(table: GoldTable, words: WordCounts, responses: Flags) -> dict[str, Any]:
    """Sizes of some responses.

    Parameters
    ----------
    table : GoldTable
    words : words of its responses and segments
    responses : (R,) bool

    Returns
    -------
    {"responses", "segments", "correct", "error", "unlabelled", "responses_with_error", "responses_with_gold",
    "error_rate", "avg_response_words", "avg_segment_words", "sources", "error_types"}. correct, error and unlabelled
    count judged units: segments, or facts in FActScore's scheme. responses_with_gold are those in which every unit has
    gold, error_rate the share of these with an error; None where there is none. An average is None of nothing.
    """
    of_segment = responses[table.segments.response]
    of_unit = responses[table.response_of_unit]
    labelled = of_unit & (table.units.value != NO_GOLD)
    error = labelled & (table.units.value != SUPPORTED)
    complete = _complete(table) & responses
    with_error = np.bincount(table.response_of_unit[error], minlength=len(responses)) > 0
    total_words = int(words.responses[responses].sum())
    count, segments = int(responses.sum()), int(of_segment.sum())
    return {
        "responses": count,
        "segments": segments,
        "correct": int((labelled & ~error).sum()),
        "error": int(error.sum()),
        "unlabelled": int((of_unit & ~labelled).sum()),
        "responses_with_error": int(with_error.sum()),
        "responses_with_gold": int(complete.sum()),
        "error_rate": _per((with_error & complete).sum(), complete.sum()),
        "avg_response_words": total_words / count if count else None,
        "avg_segment_words": total_words / segments if segments else None,
        "sources": _counted(table.prompts.source[table.responses.prompt[responses]].tolist()),
        "error_types": _counted(error_type or "none" for error_type in table.units.error_type[error].tolist()),
    }


def _complete(table: GoldTable) -> Flags:
    """Per response whether it has units and each has gold."""
    responses = len(table.responses.key)
    units = np.bincount(table.response_of_unit, minlength=responses)
    with_gold = np.bincount(table.response_of_unit[table.units.value != NO_GOLD], minlength=responses)
    complete: Flags = (units > 0) & (units == with_gold)
    return complete


def sentence_sizes(
    table: GoldTable, words: WordCounts, facts: FactCounts, responding: Flags
) -> dict[str, float | None]:
    """Sizes of some responses of FActScore's scheme, each per response unless its name says otherwise.

    Sentences are all sentences, tokens the words of relevant ones, facts the judged ones: those of people, and a
    model's in irrelevant sentences.

    Parameters
    ----------
    table : GoldTable
    words : words of its responses and segments
    facts : FactCounts
    responding : (R,) bool

    Returns
    -------
    Figures by name; None where there is nothing to divide by.
    """
    of_segment = responding[table.segments.response]
    relevant = of_segment & ~table.segments.irrelevant
    labelled = responding[table.response_of_unit] & (table.units.value != NO_GOLD)
    in_relevant = labelled & relevant[table.units.segment]
    both = relevant & facts.refined
    count = int(responding.sum())
    return {
        "facts_per_response": _per(labelled.sum(), count),
        "sentences_per_response": _per(of_segment.sum(), count),
        "tokens_per_response": _per(words.segments[relevant].sum(), count),
        "facts_per_sentence": _per(in_relevant.sum(), relevant.sum()),
        "mixed_sentences": _per((_mixed(table, in_relevant) & relevant).sum(), relevant.sum()),
        "split": _per((both & split(facts.human, facts.model)).sum(), both.sum()),
        "merged": _per((both & merged(facts.human, facts.model)).sum(), both.sum()),
    }


def _mixed(table: GoldTable, units: Flags) -> Flags:
    """Per segment whether it holds supported facts and others too."""
    segments = len(table.segments.key)
    supported = table.units.value == SUPPORTED
    with_supported = np.bincount(table.units.segment[units & supported], minlength=segments) > 0
    with_others = np.bincount(table.units.segment[units & ~supported], minlength=segments) > 0
    return with_supported & with_others


def _per(total: Any, count: Any) -> float | None:
    return float(total) / float(count) if count else None


def _counted(names: Any) -> dict[str, int]:
    return dict(Counter(name for name in names if name).most_common())
